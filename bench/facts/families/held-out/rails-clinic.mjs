// A clinic's web application in Ruby: rspec, Rails logs, CSV, MySQL tables, review threads.

const model = (g) => `${g.word()}_${g.word()}`;
const mark = (g) => `${g.word()}_${g.letters(4)}`;

const rspec = {
  tool: 'Bash',
  command: (g) => `bundle exec rspec spec/${g.word()} --format documentation`,
  fails: true,
  line: (g) =>
    g.pick([
      () => `    shows the ${g.word()} of a ${g.word()}`,
      () => `    raises an error without a ${g.word()}`,
      () => `  #${g.word()}`,
      () => `    when the ${g.word()} is empty\n      is not valid`,
    ])(),
  foot: (g) =>
    `Finished in ${g.num(2, 90, 2)} seconds\n${g.int(90, 400)} examples, 0 failures, ${g.int(1, 5)} pending`,
  says: {
    error: [
      (g) =>
        `  ${g.int(1, 9)}) Visit books a slot\n     Failure/Error: expect(slot).to be_free\n       «expected ${mark(g)} to be free, but it was taken»`,
      (g) =>
        `     «NoMethodError: undefined method ${mark(g)} for nil»\n     # ./app/models/${g.word()}.rb:${g.int(3, 200)}:in each`,
      (g) =>
        `rspec ./spec/${g.word()}_spec.rb:${g.int(9, 400)} # «Visit rejects ${mark(g)} twice (FAILED - 1)»`,
    ],
    path: [
      (g) => `  [Screenshot Image]: «tmp/capybara/failures_r_spec_${mark(g)}_${g.digits(3)}.png»`,
    ],
    number: [(g) => `Coverage report generated, «${g.num(10, 60, 3)}%» covered.`],
    id: [(g) => `Randomized with seed «seed:${g.digits(8)}»`],
  },
};

const rails = {
  tool: 'Bash',
  command: () => 'tail -500 log/production.log',
  line: (g) =>
    g.pick([
      () =>
        `[${g.uuid()}] Started GET "/${g.word()}/${g.digits(5)}" for 10.0.${g.int(0, 255)}.${g.int(1, 254)} at ${g.clock()}`,
      () =>
        `[${g.uuid()}] Completed 200 OK in ${g.int(3, 90)}ms (Views: ${g.num(1, 9, 1)}ms | ActiveRecord: ${g.num(1, 9, 1)}ms)`,
      () =>
        `[${g.uuid()}]   Rendered ${g.word()}/_${g.word()}.html.erb (Duration: ${g.num(0, 9, 1)}ms)`,
    ])(),
  says: {
    error: [
      (g) =>
        `[${g.uuid()}] «ActiveRecord::RecordInvalid (Validation failed: ${mark(g)} has already been taken)»`,
      (g) => `[${g.uuid()}] «Net::ReadTimeout with lab interface ${mark(g)}»`,
      (g) =>
        `[${g.uuid()}] Completed 500 Internal Server Error in ${g.int(3, 90)}ms\n[${g.uuid()}] «PG::UndefinedColumn: column ${mark(g)} does not exist»`,
    ],
    id: [
      (g) => `[${g.uuid()}] [Sidekiq] gave up on job «jid-${g.hex(24)}» after 25 attempts`,
      (g) => `[${g.uuid()}] Two patients share the insurance number «KV${g.digits(9)}»`,
    ],
    path: [
      (g) => `[${g.uuid()}] Sent file «/srv/clinic/exports/${mark(g)}.pdf» to the wrong account`,
    ],
    number: [
      (g) => `[${g.uuid()}] Slow query took «${g.num(10_000, 99_000, 1)}ms», no index is used`,
    ],
  },
};

const csv = {
  tool: 'Bash',
  command: (g) => `cat imports/${g.word()}.csv`,
  head: () => 'row,patient,ward,code,taken_on,value,checksum,remark',
  line: (g, i) =>
    `${i + 1},P${g.digits(6)},${g.word()},${g.upper(3)}-${g.int(1, 99)},2026-0${g.int(1, 9)}-${g.int(10, 28)},${g.num(1, 99, 2)},${g.hex(8)},ok`,
  says: {
    error: [
      (g) => `${g.digits(4)},P${g.digits(6)},${g.word()},,,,,«rejected: unknown unit ${mark(g)}»`,
    ],
    id: [
      (g) =>
        `${g.digits(4)},P${g.digits(6)},${g.word()},LOT,2026-03-11,,,recalled lot «LOT-${g.upper(9)}»`,
    ],
    number: [
      (g) =>
        `${g.digits(4)},P${g.digits(6)},${g.word()},GLU,2026-03-11,,,outlier of «${g.num(1000, 9000, 1)} mg/dl»`,
    ],
  },
};

const mysql = {
  tool: 'Bash',
  command: (g) => `mysql clinic -t -e "select * from ${model(g)}"`,
  head: () =>
    '+---------+------------------+----------------------------+----------+\n| id      | uid              | name                       | minutes  |\n+---------+------------------+----------------------------+----------+',
  line: (g) =>
    `| ${g.digits(7)} | ${g.hex(16)} | ${`${g.word()} ${g.word()}`.padEnd(26)} | ${String(g.int(5, 90)).padStart(8)} |`,
  foot: (g) =>
    `+---------+------------------+----------------------------+----------+\n${g.int(90, 400)} rows in set (0.0${g.int(1, 9)} sec)`,
  fails: true,
  says: {
    error: [
      (g) =>
        `ERROR 1205 (HY000) at line ${g.int(2, 40)}: «Lock wait timeout exceeded on ${mark(g)}; try restarting transaction»`,
    ],
    number: [(g) => `${g.digits(4)} rows in set («${g.num(100, 900, 2)} sec»)`],
    id: [
      (g) =>
        `Warning (Code 1592): unsafe statement in binlog position «binlog.${g.digits(6)}:${g.digits(9)}»`,
    ],
  },
};

const review = {
  tool: 'Bash',
  command: (g) => `gh pr view ${g.int(100, 999)} --comments`,
  line: (g) =>
    g.pick([
      () => `author:\t${g.word()}\nassociation:\tmember\nedited:\tfalse\nstatus:\tnone\n--`,
      () => `Could we rename ${model(g)} while we are here?`,
      () => `Good point about the ${g.word()}. I had the same feeling about the ${g.word()} one.`,
      () => `nit: trailing space after ${g.word()}`,
      () => `Thanks for the ${g.word()}, much nicer to read than the old version of it.`,
    ])(),
  says: {
    decision: [
      (g) => `After the call: «${mark(g)} becomes an enum column», everybody was fine with it.`,
      (g) => `OK, let's go for «soft deletes in ${mark(g)}» and leave the audit table alone.`,
      (g) => `Conclusion of this thread: «no callbacks in ${mark(g)}», use a service object.`,
    ],
    id: [(g) => `This is blocked by «CLIN-${g.digits(6)}», please wait for it.`],
    path: [(g) => `The missing spec is «spec/requests/${mark(g)}_spec.rb», please add it.`],
    number: [(g) => `On staging this page went up to «${g.num(1000, 9000, 1)} ms» for me.`],
  },
};

export const railsClinic = {
  name: 'rails-clinic',
  outputs: [rspec, rails, csv, mysql, review],
  opening: (g) =>
    `Patients get two letters for one visit since the ${g.word()} release. Please find the cause.`,
  talk: [
    (g) => `The ward ${g.word()} reported it first.`,
    () => 'I am in meetings until noon, just go on.',
    (g) => `There was a similar bug with ${g.word()} two years ago.`,
    (g) => `How sure are you about ${g.word()}?`,
  ],
  rules: [
    (g) => `«No patient names from ${mark(g)} in any output, use the numbers.»`,
    (g) => `«Stick to the style of ${mark(g)}.rb, I do not want a new pattern.»`,
    (g) => `«Make sure that ${mark(g)} keeps working on Ruby 3.1.»`,
    (g) => `«Commits about ${mark(g)} go to the branch hotfix, not to main.»`,
  ],
  narration: [
    (g) => `I see. The ${g.word()} callback runs before the letter is built.`,
    (g) => `Next I'd like to read ${model(g)}.rb.`,
    () => 'The specs pass here, so the cause must be in the data.',
    (g) => `Comparing the two rows of ${g.word()}.`,
  ],
  decisions: [
    (g) => `My choice: «a unique index on ${mark(g)}», since a validation alone leaves a race.`,
    (g) => `Therefore «letters are queued by ${mark(g)} only», and the callback goes away.`,
    (g) =>
      `I've chosen «to backfill ${mark(g)} in batches of ${g.int(200, 900)}» over one long transaction.`,
  ],
  edits: (g) => {
    const key = `${g.word()}_${g.word()}_${g.letters(3)}`;
    const set = (value) => `    ${key}: ${value}`;
    return {
      path: `/home/dev/work/config/${g.word()}.yml`,
      old: set(g.int(1, 99)),
      early: set(g.digits(4)),
      late: `«${set(g.digits(6))}»`,
    };
  },
};
