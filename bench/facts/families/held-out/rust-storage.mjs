// A storage engine in Rust: cargo, tracing, criterion, git, and its design notes.

const crate = (g) => `${g.word()}-${g.pick(['core', 'io', 'proto', 'util', 'sys', 'macros'])}`;
const file = (g) => `crates/${g.word()}/src/${g.word()}_${g.word()}.rs`;
const name = (g) => `${g.word()}_${g.word()}_${g.letters(3)}`;

const cargoTest = {
  tool: 'Bash',
  command: (g) => `cargo test -p ${crate(g)} --all-features`,
  fails: true,
  line: (g) =>
    g.pick([
      () => `test ${g.word()}::tests::${g.word()}_${g.word()} ... ok`,
      () => `test ${g.word()}::error::${g.word()}_returns_error ... ok`,
      () => `   Compiling ${crate(g)} v${g.int(0, 3)}.${g.int(0, 40)}.${g.int(0, 9)}`,
      () => `     Running unittests src/lib.rs (target/debug/deps/${g.word()}-${g.hex(16)})`,
      () =>
        `test result: ok. ${g.int(2, 90)} passed; 0 failed; 0 ignored; 0 measured; 0 filtered out`,
    ])(),
  foot: () => 'test result: ok. 212 passed; 0 failed; 3 ignored; finished in 41.20s',
  says: {
    error: [
      (g) =>
        `error[E0${g.int(200, 799)}]: «cannot borrow \`${name(g)}\` as mutable more than once at a time»`,
      (g) =>
        `thread '${g.word()}' panicked at src/${g.word()}.rs:${g.int(9, 900)}:13:\n«called unwrap on an Err value: ${name(g)} is poisoned»`,
      (g) => `«test ${g.word()}::${name(g)} ... FAILED»`,
      (g) => `error: «linking with cc failed: undefined symbol ${name(g)}»`,
    ],
    path: [
      (g) => `wrote minimized failing input to «fuzz/artifacts/${g.word()}/crash-${g.hex(12)}»`,
      (g) =>
        `note: the golden file differs, the new one is «target/golden/${g.word()}/${name(g)}.snap.new»`,
    ],
    number: [
      (g) => `peak resident set during the run: «${g.num(1000, 9000, 1)} MiB»`,
      (g) => `slowest test took «${g.num(100, 999, 2)} s», limit is 120 s`,
    ],
  },
};

const tracing = {
  tool: 'Bash',
  command: (g) => `journalctl -u stored-${g.word()} --since -2h --no-pager`,
  line: (g, i) =>
    g.pick([
      () =>
        `${g.clock()}  INFO compaction{level=${i % 7} job=${g.hex(8)}}: merged ${g.int(2, 12)} tables`,
      () =>
        `${g.clock()} DEBUG wal: flushed segment seg-${g.digits(8)} bytes=${g.int(1024, 99_999)} errors=0`,
      () => `${g.clock()}  INFO rpc{id=${g.hex(10)}}: get key_hash=${g.hex(16)} hit=true`,
    ])(),
  says: {
    error: [
      (g) =>
        `${g.clock()} ERROR wal: «checksum mismatch in segment ${name(g)}, replay stopped at offset ${g.digits(7)}»`,
      (g) =>
        `${g.clock()} ERROR raft{term=${g.int(2, 90)}}: «lost quorum, peer ${name(g)} answered with stale log»`,
      (g) =>
        `${g.clock()}  WARN manifest: «failed to rename ${name(g)}.tmp: Read-only file system (os error 30)»`,
    ],
    id: [
      (g) => `${g.clock()}  INFO snapshot: uploaded, restore with snapshot «snap-${g.hex(14)}»`,
      (g) =>
        `${g.clock()}  WARN tenant «tn_${g.alnum(12)}» is over its write quota, requests are shed`,
      (g) =>
        `${g.clock()}  INFO admin: support case «CASE-${g.digits(7)}» opened for the stalled node`,
    ],
    path: [
      (g) =>
        `${g.clock()}  WARN store: moved damaged table out of the way, see «/var/lib/stored/quarantine/${name(g)}.sst»`,
      (g) =>
        `${g.clock()}  INFO boot: effective configuration read from «/etc/stored/conf.d/${g.digits(2)}-${name(g)}.toml»`,
    ],
    number: [
      (g) => `${g.clock()}  WARN store: write stall lasted «${g.num(1000, 9000, 1)} ms»`,
      (g) => `${g.clock()}  INFO store: amplification since start «${g.num(11, 99, 3)}x»`,
    ],
  },
};

const gitLog = {
  tool: 'Bash',
  command: (g) => `git log --stat -n ${g.int(20, 90)}`,
  line: (g) =>
    g.pick([
      () => `commit ${g.hex(40)}\nAuthor: ${g.word()} <${g.word()}@stored.dev>\n`,
      () => `    Tidy ${g.word()} and ${g.word()}\n`,
      () => ` ${file(g)} | ${g.int(1, 80)} ${'+'.repeat(g.int(1, 12))}`,
      () =>
        ` ${g.int(1, 9)} files changed, ${g.int(3, 200)} insertions(+), ${g.int(1, 90)} deletions(-)`,
    ])(),
  says: {
    decision: [
      (g) =>
        `    We settled on «${g.word()} blocks of ${g.int(8, 96)} KiB with ${g.word()} framing» after the review.`,
      (g) => `    Rejected: «${g.word()} sharding by ${g.word()} prefix», it splits hot ranges.`,
    ],
    id: [
      (g) => `    Fixes the regression reported in «STOR-${g.digits(6)}»`,
      (g) => `    Reverts commit «${g.hex(40)}», it broke recovery`,
    ],
    path: [(g) => `    The format is described in «docs/design/${name(g)}.md» from now on`],
  },
};

const bench = {
  tool: 'Bash',
  command: (g) => `cargo bench -p ${crate(g)}`,
  line: (g) =>
    g.pick([
      () =>
        `${g.word()}/${g.int(16, 4096)}  time: [${g.num(1, 9, 3)} us ${g.num(1, 9, 3)} us ${g.num(1, 9, 3)} us]`,
      () =>
        `                 change: [-${g.num(0, 2, 3)}% +${g.num(0, 2, 3)}%] (p = 0.${g.digits(2)} > 0.05)`,
      () => '                 No change in performance detected.',
      () => `Found ${g.int(1, 9)} outliers among 100 measurements (${g.int(1, 9)}.00%)`,
    ])(),
  says: {
    number: [
      (g) =>
        `scan_cold/${g.word()}  regressed by «${g.num(100, 400, 2)}%» against the saved baseline`,
      (g) => `throughput at saturation: «${g.num(100_000, 900_000, 1)} ops/s»`,
    ],
    path: [(g) => `Report saved to «target/criterion/${name(g)}/report/index.html»`],
    id: [(g) => `Baseline used for all comparisons: «bl-${g.alnum(10)}»`],
    error: [(g) => `«Benchmark ${name(g)} aborted: sample size too small for the noise»`],
  },
};

const source = {
  tool: 'Read',
  file,
  line: (g) =>
    g.pick([
      () => `    let ${g.word()} = self.${g.word()}.get(&${g.word()}).ok_or(Error::Missing)?;`,
      () =>
        `    if ${g.word()}.len() > ${g.int(2, 512)} {\n        return Err(Error::TooLarge);\n    }`,
      () => `fn ${g.word()}_${g.word()}(&self, ${g.word()}: &[u8]) -> Result<u64, Error> {`,
      () => '}\n',
      () => `    /// Returns the ${g.word()} of this ${g.word()}.`,
    ])(),
  says: {
    decision: [
      (g) =>
        `    // Decided with the storage group: «${g.word()} pages are never shared between ${g.word()} readers».`,
      (g) =>
        `    // NOTE: «we keep ${g.word()} before ${g.word()} on purpose», the order is part of the format.`,
    ],
    id: [(g) => `    // FIXME(«STOR-${g.digits(6)}»): this is wrong for empty tables`],
    path: [(g) => `// Generated by xtask from «schema/${name(g)}.fbs», do not edit.`],
    number: [
      (g) => `    // Measured on the test machine: «${g.num(1000, 9000, 2)} ns» for each probe.`,
    ],
  },
};

export const rustStorage = {
  name: 'rust-storage',
  outputs: [cargoTest, tracing, gitLog, bench, source],
  opening: (g) =>
    `Nodes fall behind after a restart since we shipped the new ${g.word()} reader. Find out why.`,
  talk: [
    (g) => `The ${g.word()} bench box is free until six.`,
    (g) => `I looked at the ${g.word()} part myself yesterday and could not see anything odd.`,
    () => 'Thanks, that reads well so far.',
    (g) => `Can you also say what happens with ${g.word()} when the disk is full?`,
  ],
  rules: [
    (g) => `«Never touch the on-disk format of ${name(g)}, old nodes still read it.»`,
    (g) => `«Every unsafe block in ${name(g)} needs a SAFETY comment.»`,
    (g) => `«Please use only stable Rust for ${name(g)}, no nightly features.»`,
    (g) => `«You must ask me before you add a dependency to ${name(g)}.»`,
  ],
  narration: [
    (g) => `Let me see how the ${g.word()} reader behaves.`,
    (g) => `The ${g.word()} module looks fine, so I'll check the next one.`,
    (g) => `Now I want to know whether ${g.word()} is called twice.`,
    () => 'That passes. On to the logs.',
  ],
  decisions: [
    (g) =>
      `I'm going with «a bounded channel for ${name(g)}» because the unbounded one hides back-pressure.`,
    (g) => `Decision: «${name(g)} is rebuilt lazily on first read», not at start-up.`,
    (g) => `We won't «cache ${name(g)} across epochs»; the gain is too small for the risk.`,
  ],
  edits: (g) => {
    const key = `${g.word()}_${g.letters(4)}`.toUpperCase();
    const set = (value) => `const ${key}: usize = ${value};`;
    return {
      path: `/home/dev/work/${file(g)}`,
      old: set(g.int(1, 99)),
      early: set(g.digits(4)),
      late: `«${set(g.digits(6))}»`,
    };
  },
};
