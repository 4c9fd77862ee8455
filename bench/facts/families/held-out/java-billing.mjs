// Invoicing in Java: Maven, Spring logs with stack traces, a minified API answer, psql, sources.

const cap = (word) => word[0].toUpperCase() + word.slice(1);
const cls = (g) => {
  return `${cap(g.word())}${cap(g.word())}${g.pick(['Service', 'Mapper', 'Client', 'Job', 'Repository'])}`;
};
const pack = (g) => `eu.tally.${g.word()}.${g.word()}`;

const surefire = {
  tool: 'Bash',
  command: (g) => `mvn -q -pl ${g.word()} verify`,
  fails: true,
  line: (g) =>
    g.pick([
      () => `[INFO] Running ${pack(g)}.${cls(g)}Test`,
      () =>
        `[INFO] Tests run: ${g.int(1, 40)}, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: ${g.num(0, 9, 3)} s`,
      () =>
        `[INFO] Downloaded from central: https://repo.maven.apache.org/maven2/org/${g.word()}/${g.word()}-${g.int(1, 9)}.${g.int(0, 30)}.jar (${g.int(10, 900)} kB)`,
      () => `[WARNING] ${g.word()}.properties is not filtered`,
    ])(),
  says: {
    error: [
      (g) =>
        `[ERROR]   ${cls(g)}Test.rounds:${g.int(20, 300)} «expected: <${g.num(100, 999, 2)}> but was: <${g.num(100, 999, 2)}>»`,
      (g) => `[ERROR] «cannot find symbol: method ${g.word()}${cls(g)}(BigDecimal)»`,
      (g) =>
        `[ERROR] «Failed to execute goal on project ${g.word()}-${g.letters(5)}: dependency convergence»`,
    ],
    path: [
      (g) =>
        `[ERROR] Please refer to «/builds/tally/${g.word()}/target/surefire-reports/${cls(g)}.dump» for the individual results`,
      (g) =>
        `[INFO] Building jar: «/builds/tally/${g.word()}/target/${g.word()}-${g.letters(4)}-shaded.jar»`,
    ],
    number: [
      (g) => `[INFO] Total time:  «${g.int(11, 59)}:${g.digits(2)}.${g.digits(3)} min»`,
      (g) => `[WARNING] Line coverage is «${g.num(10, 69, 3)} %», below the gate`,
    ],
  },
};

const spring = {
  tool: 'Bash',
  command: (g) => `tail -n 400 /var/log/tally/${g.word()}.log`,
  line: (g) =>
    g.pick([
      () =>
        `${g.clock()}  INFO ${g.int(1000, 9000)} --- [nio-8080-exec-${g.int(1, 20)}] e.t.${g.word()}.${cls(g)} : processed invoice INV-${g.digits(6)} in ${g.int(2, 80)} ms`,
      () =>
        `${g.clock()} DEBUG ${g.int(1000, 9000)} --- [scheduling-${g.int(1, 4)}] o.h.SQL : select * from ledger where id=?`,
      () =>
        `${g.clock()}  INFO ${g.int(1000, 9000)} --- [kafka-${g.int(1, 9)}] o.a.k.c.FetchSessionHandler : node ${g.int(1, 9)} sent an incremental fetch response, session ${g.digits(9)}`,
      () => `\tat ${pack(g)}.${cls(g)}.${g.word()}(${cls(g)}.java:${g.int(20, 700)})`,
    ])(),
  says: {
    error: [
      (g) =>
        `${g.clock()} ERROR ${g.int(1000, 9000)} --- [nio-8080-exec-3] e.t.Ledger : booking failed\n«java.lang.IllegalStateException: period ${g.word()}-${g.letters(4)} is already closed»\n\tat ${pack(g)}.${cls(g)}.post(${cls(g)}.java:${g.int(20, 700)})`,
      (g) =>
        `«Caused by: org.postgresql.util.PSQLException: deadlock detected on relation ${g.word()}_${g.letters(4)}»`,
      (g) =>
        `${g.clock()} ERROR ${g.int(1000, 9000)} --- [main] o.s.boot : «Parameter 0 of constructor in ${pack(g)}.${cls(g)} required a bean that could not be found»`,
    ],
    id: [
      (g) =>
        `${g.clock()}  WARN ${g.int(1000, 9000)} --- [nio-8080-exec-1] e.t.Dunning : customer «cus_${g.alnum(14)}» was charged twice`,
      (g) =>
        `${g.clock()}  INFO ${g.int(1000, 9000)} --- [main] e.t.Trace : slow request, trace id «${g.hex(32)}»`,
    ],
    number: [
      (g) =>
        `${g.clock()}  WARN ${g.int(1000, 9000)} --- [main] c.z.h.HikariPool : connection was held for «${g.num(10_000, 90_000, 1)} ms»`,
      (g) =>
        `${g.clock()}  WARN ${g.int(1000, 9000)} --- [main] e.t.Ledger : sum of postings is off by «${g.num(1000, 9000, 2)} EUR»`,
    ],
    path: [
      (g) =>
        `${g.clock()}  WARN ${g.int(1000, 9000)} --- [main] e.t.Import : rejected rows were written to «/srv/tally/rejects/${g.word()}-${g.digits(6)}.csv»`,
    ],
  },
};

const api = {
  tool: 'Bash',
  command: (g) => `curl -s https://billing.test/v2/${g.word()}?limit=100`,
  join: ',',
  head: () => '{"object":"list","has_more":true,"url":"/v2/charges"',
  line: (g) =>
    `{"id":"ch_${g.alnum(14)}","amount":${g.int(100, 99_999)},"currency":"eur","status":"succeeded","error":null,"created":${g.digits(10)}}`,
  says: {
    error: [
      (g) =>
        `{"id":"ch_${g.alnum(14)}","status":"failed","error":{"code":"card_declined","message":"«Issuer refused ${g.word()} ${g.letters(4)}: limit exceeded»"}}`,
    ],
    id: [
      (g) =>
        `{"object":"dispute","reason":"fraudulent","status":"needs_response","dispute_id":"«dp_${g.alnum(16)}»"}`,
    ],
    path: [
      (g) =>
        `{"object":"export","state":"ready","location":"«/exports/2026/${g.word()}_${g.word()}_${g.digits(5)}.parquet»"}`,
    ],
  },
};

const psql = {
  tool: 'Bash',
  command: (g) => `psql -d tally -c "select * from ${g.word()} limit 200"`,
  head: () =>
    '   id    | account  |  amount  |   booked_on  | state  | hash\n---------+----------+----------+--------------+--------+----------',
  line: (g) =>
    ` ${g.digits(7)} | AC-${g.digits(5)} | ${g.num(10, 9999, 2).padStart(8)} | 2026-0${g.int(1, 9)}-${g.int(10, 28)}   | posted | ${g.hex(8)}`,
  foot: (g) => `(${g.int(80, 200)} rows)`,
  fails: true,
  says: {
    error: [
      (g) =>
        `ERROR:  «duplicate key value violates unique constraint ${g.word()}_${g.letters(4)}_key»`,
      (g) =>
        `ERROR:  «canceling statement due to lock timeout while updating tuple (${g.int(1, 99)},${g.int(1, 99)}) in ${g.word()}_${g.letters(4)}»`,
    ],
    number: [(g) => `Time: «${g.num(10_000, 99_999, 3)} ms»`],
    id: [(g) => `NOTICE:  prepared transaction «ptx-${g.alnum(12)}» is still open`],
  },
};

const source = {
  tool: 'Read',
  file: (g) => `/home/dev/work/src/main/java/eu/tally/${g.word()}/${cls(g)}.java`,
  line: (g) =>
    g.pick([
      () => `    private final ${cls(g)} ${g.word()};`,
      () => `        log.error("could not load {}", ${g.word()});`,
      () => `        return ${g.word()}.stream().map(${cls(g)}::of).toList();`,
      () => `    public Optional<${cls(g)}> find${cls(g)}(long id) {`,
      () => '    }\n',
    ])(),
  says: {
    decision: [
      (g) =>
        `    // Agreed with accounting: «${g.word()} amounts are rounded half-even per ${g.word()} line», not per invoice.`,
      (g) =>
        `     * Chosen over optimistic locking: «pessimistic locks on ${g.word()}_${g.letters(3)} rows», see the audit.`,
    ],
    id: [(g) => `    // remove after «BILL-${g.digits(6)}» is rolled out`],
    path: [
      (g) =>
        `    // The template lives in «templates/mail/${g.word()}/${g.word()}_${g.letters(3)}.mjml».`,
    ],
    number: [
      (g) => `    // Auditors allow a difference of at most «${g.num(10, 99, 4)} cents» a quarter.`,
    ],
  },
};

export const javaBilling = {
  name: 'java-billing',
  outputs: [surefire, spring, api, psql, source],
  opening: (g) => `Invoices of the ${g.word()} batch are a cent off. Track it down and repair it.`,
  talk: [
    (g) => `Accounting closes ${g.word()} on Friday, by the way.`,
    () => 'Looks good. Please carry on with the next module.',
    (g) => `What does the ${g.word()} job do at night? I never understood that one.`,
    (g) => `The customer in the ${g.word()} ticket called again.`,
  ],
  rules: [
    (g) => `«Amounts in ${cls(g)} must stay BigDecimal, no double anywhere.»`,
    (g) => `«Do not run migrations against ${g.word()}-${g.letters(4)}, that one is live.»`,
    (g) => `«Always write a test in ${cls(g)}Test before you change the code.»`,
    (g) => `«From now on, log messages of ${cls(g)} are in English only.»`,
  ],
  narration: [
    (g) => `I'll read ${cls(g)} next.`,
    (g) => `The mapper for ${g.word()} rounds only once, good.`,
    () => 'The build is green again, apart from the known warnings.',
    (g) => `This query returns ${g.int(10, 90)} rows, as expected.`,
  ],
  decisions: [
    (g) => `So the choice is clear: «round once in ${cls(g)}», and drop the second rounding.`,
    (g) => `I decided to «keep ${cls(g)} transactional» and to move the mail out of it.`,
    (g) => `Instead of patching the view we will «recompute ${g.word()}_${g.letters(4)} nightly».`,
  ],
  edits: (g) => {
    const key = `${g.word()}.${g.word()}-${g.letters(3)}`;
    const set = (value) => `${key}=${value}`;
    return {
      path: `/home/dev/work/src/main/resources/${g.word()}.properties`,
      old: set(g.int(1, 99)),
      early: set(g.digits(4)),
      late: `«${set(g.digits(6))}»`,
    };
  },
};
