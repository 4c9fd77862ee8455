// A shop in TypeScript: vitest, tsc, eslint, server logs in JSON, npm, grep.

const part = (g) => `${g.word()}-${g.word()}`;
const camel = (g) => `${g.word()}${g.word()[0].toUpperCase()}${g.letters(4)}`;

const vitest = {
  tool: 'Bash',
  command: () => 'npx vitest run',
  fails: true,
  line: (g) =>
    g.pick([
      () => ` ✓ src/${g.word()}/${part(g)}.test.ts (${g.int(1, 30)} tests) ${g.int(2, 900)}ms`,
      () => `   ✓ ${g.word()} > throws an error when ${g.word()} is missing ${g.int(1, 20)}ms`,
      () => `   ✓ ${g.word()} > keeps the ${g.word()}`,
    ])(),
  foot: () => ' Test Files  98 passed (98)\n      Tests  811 passed (811)',
  says: {
    error: [
      (g) =>
        ` FAIL  src/${g.word()}/${part(g)}.test.ts > ${g.word()}\n«AssertionError: expected ${camel(g)} to equal ${g.digits(4)}»`,
      (g) =>
        `«TypeError: ${camel(g)} is not a function»\n ❯ src/${g.word()}.ts:${g.int(1, 300)}:${g.int(1, 40)}`,
    ],
    path: [
      (g) =>
        ` Snapshot obsolete, remove «src/__snapshots__/${part(g)}-${g.letters(3)}.snap» by hand`,
    ],
    number: [(g) => `   Duration  «${g.num(1000, 9000, 2)}s» (transform 3.1s, setup 0ms)`],
  },
};

const server = {
  tool: 'Bash',
  command: (g) => `docker logs shop-${g.word()} --tail 400`,
  line: (g) =>
    `{"level":"info","time":"${g.clock()}","reqId":"r-${g.hex(8)}","msg":"${g.pick(['request completed', 'cache hit', 'cart loaded'])}","ms":${g.int(1, 90)}}`,
  says: {
    error: [
      (g) =>
        `{"level":"error","time":"${g.clock()}","msg":"«payment provider refused ${camel(g)}: signature mismatch»"}`,
      (g) =>
        `{"level":"error","time":"${g.clock()}","msg":"«connect ECONNREFUSED 10.1.${g.int(1, 250)}.${g.int(1, 250)}:${g.digits(4)}»"}`,
    ],
    id: [
      (g) =>
        `{"level":"warn","time":"${g.clock()}","msg":"order «ord_${g.alnum(12)}» was paid but never shipped"}`,
      (g) =>
        `{"level":"warn","time":"${g.clock()}","msg":"session token reused","user":"«usr_${g.alnum(12)}»"}`,
    ],
    number: [
      (g) =>
        `{"level":"warn","time":"${g.clock()}","msg":"event loop was blocked for «${g.num(1000, 9000, 1)} ms»"}`,
    ],
    path: [
      (g) =>
        `{"level":"info","time":"${g.clock()}","msg":"heap snapshot written to «/tmp/heap/${part(g)}-${g.letters(3)}.heapsnapshot»"}`,
    ],
  },
};

const types = {
  tool: 'Bash',
  command: () => 'npx tsc --noEmit --extendedDiagnostics; npx eslint .',
  fails: true,
  line: (g) =>
    g.pick([
      () =>
        `  ${g.int(1, 400)}:${g.int(1, 80)}  warning  Unexpected any. Specify a different type  @typescript-eslint/no-explicit-any`,
      () => `/home/dev/shop/src/${g.word()}/${part(g)}.ts`,
      () =>
        `  ${g.int(1, 400)}:${g.int(1, 80)}  warning  Missing return type on function  @typescript-eslint/explicit-function-return-type`,
    ])(),
  foot: (g) => `✖ ${g.int(50, 200)} problems (0 errors, ${g.int(50, 200)} warnings)`,
  says: {
    error: [
      (g) =>
        `src/${g.word()}/${part(g)}.ts(${g.int(1, 300)},${g.int(1, 60)}): error TS${g.digits(4)}: «Property ${camel(g)} does not exist on type Cart»`,
      (g) =>
        `  ${g.int(1, 400)}:${g.int(1, 80)}  error  «${camel(g)} is assigned a value but never used»  no-unused-vars`,
    ],
    number: [(g) => `Memory used: «${g.digits(6)}K»`],
    path: [
      (g) => `Using the config of «/home/dev/shop/config/${part(g)}-${g.letters(3)}/tsconfig.json»`,
    ],
  },
};

const guide = {
  tool: 'Read',
  file: (g) => `/home/dev/shop/docs/${part(g)}.md`,
  line: (g) =>
    g.pick([
      () => `## ${part(g)}\n`,
      () => `The ${g.word()} page shows the ${g.word()} of the customer and a link to ${g.word()}.`,
      () => `1. Open ${g.word()}\n2. Press ${g.word()}`,
    ])(),
  says: {
    decision: [
      (g) => `Decision: «prices in ${camel(g)} are whole cents».`,
      (g) => `We decided to «render ${camel(g)} on the server» after the trial.`,
    ],
    id: [(g) => `See ticket «SHOP-${g.digits(6)}» for the background.`],
    path: [(g) => `The source of truth is «src/pricing/${part(g)}-${g.letters(3)}.ts».`],
    number: [(g) => `A page may weigh at most «${g.num(1000, 9000, 1)} kB».`],
  },
};

const answer = {
  tool: 'Bash',
  command: (g) => `curl -s https://shop.test/api/${g.word()}`,
  join: ',',
  head: () => '{"page":1,"items":[{}',
  line: (g) =>
    `{"sku":"${g.upper(8)}","name":"${part(g)}","stock":${g.int(0, 99)},"errors":[],"etag":"${g.hex(16)}"}`,
  says: {
    error: [(g) => `{"sku":"${g.upper(8)}","errors":["«price of ${camel(g)} is negative»"]}`],
    id: [(g) => `{"notice":"duplicate stock record, keep «stk_${g.alnum(14)}»"}`],
  },
};

export const webShop = {
  name: 'web-shop',
  outputs: [vitest, server, types, guide, answer],
  opening: (g) => `Checkout fails for carts with a ${g.word()}. Please fix it.`,
  talk: [
    (g) => `The ${g.word()} page is fine.`,
    () => 'OK, go on.',
    (g) => `Maybe look at ${g.word()} too?`,
  ],
  rules: [
    (g) => `«Do not change the public API of ${camel(g)}.»`,
    (g) => `«Always run the linter on ${camel(g)} before you finish.»`,
    (g) => `«Use pnpm for ${camel(g)}, never npm.»`,
  ],
  narration: [
    (g) => `I'll look at the ${g.word()} code.`,
    () => 'All tests pass so far.',
    (g) => `Next, the ${g.word()} component.`,
  ],
  decisions: [
    (g) => `Decision: «round in ${camel(g)} and nowhere else».`,
    (g) => `I decided to «keep ${camel(g)} as a pure function».`,
    (g) => `I'll use «a map keyed by ${camel(g)}» instead of the list.`,
  ],
  edits: (g) => {
    const key = camel(g);
    const set = (value) => `export const ${key} = ${value};`;
    return {
      path: `/home/dev/shop/src/${part(g)}.ts`,
      old: set(g.int(1, 99)),
      early: set(g.digits(4)),
      late: `«${set(g.digits(6))}»`,
    };
  },
};
