import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, errorLine, names, put, report, useFolder } from '../support/cli.ts';

useFolder();

/** A session with reads, narration, a test run and a custom tool. */
function session(): Buffer {
  return new Session()
    .user('Find out why uploads fail.')
    .read('a.ts', tokensOf(2000, 'port'))
    .says(tokensOf(200, 'narration'))
    .calls({ name: 'Bash', input: { command: 'npm test' }, result: tokensOf(600, 'ok') })
    .calls({ name: 'lookup', input: { key: 'x' }, result: tokensOf(600, 'found') })
    .says('Done.').bytes;
}

const OPEN = 'preserveRecentTurns=0,preserveRecentMessages=1';
const COUNTED = ['--counter', 'heuristic', '--window', '200k'];

/** A program that notes each request in `asked.log` and answers with `text`. */
function program(text: string, exit = 0): string {
  put(
    'helper.mjs',
    `import { appendFileSync, readFileSync } from 'node:fs';
const given = readFileSync(0, 'utf8');
appendFileSync('asked.log', given.length + '\\n');
process.stderr.write('a note\\n');
process.stdout.write(${JSON.stringify(text)}.replaceAll('SOURCE', JSON.parse(given).sourceRef ?? ''));
process.exitCode = ${exit};
`,
  );
  return `command:"${process.execPath}" helper.mjs`;
}

function asked(): number {
  return existsSync('asked.log') ? readFileSync('asked.log', 'utf8').trim().split('\n').length : 0;
}

const SECTIONS = JSON.stringify({
  summary: {
    completedWork: [],
    activeWork: [],
    constraints: [],
    decisions: [{ text: 'Port 8080 stays.', sourceIds: ['SOURCE'] }],
    uncertainties: [],
    artifacts: [],
    actionReceipts: [],
  },
  model: 'tiny-1',
});

describe('--summarizer command:', () => {
  it('sends nothing without --allow-transfer, and says what took its place', async () => {
    put('s.json', session());
    const how = program(SECTIONS);
    const ran = await ctx([
      'compact',
      's.json',
      '--structured-summary',
      OPEN,
      '--summarizer',
      how,
      ...COUNTED,
    ]);
    expect([ran.code, asked()]).toEqual([0, 0]);
    expect(ran.err).not.toContain('texts go to');
    expect(ran.out).toContain(
      '--allow-transfer lets the texts leave; masking alone took its place',
    );
    expect(readFileSync('s.compact.json', 'utf8')).not.toContain('[Capsule:');
  });

  it('says where texts go and how many bytes went', async () => {
    put('s.json', session());
    const how = program(SECTIONS);
    const args = ['compact', 's.json', '--structured-summary', OPEN, '--summarizer', how];
    const ran = await ctx([...args, '--allow-transfer', '--json', ...COUNTED]);
    expect([ran.code, asked()]).toEqual([0, 1]);
    expect(ran.err).toMatch(
      /^ctx: texts go to program node \(command:node\)\nctx: [\d,]+ bytes went to program node in 1 request\n$/,
    );
    const sent = Number(readFileSync('asked.log', 'utf8'));
    const [step] = report(ran)['strategies'] as { helper: Record<string, unknown> }[];
    expect(step).toMatchObject({
      fallback: null,
      passes: 1,
      helper: { name: 'command:node', model: 'tiny-1', calls: 1, bytesSent: sent },
    });
    const text = readFileSync('s.compact.json', 'utf8');
    expect(text).toContain('Decisions:\\n- Port 8080 stays.');
    expect((await ctx(['verify', 's.compact.json'])).code).toBe(0);
    expect((await ctx(['restore', 's.compact.json'])).code).toBe(0);
    expect(readFileSync('s.restored.json').equals(session())).toBe(true);
  });

  it('a second run takes the answers from the stash and is identical', async () => {
    put('s.json', session());
    const how = program(SECTIONS);
    const args = ['compact', 's.json', '--structured-summary', OPEN, '--summarizer', how];
    await ctx([...args, '--allow-transfer', ...COUNTED]);
    const first = readFileSync('s.compact.json');
    const again = await ctx([...args, '--allow-transfer', ...COUNTED]);
    expect([again.code, asked()]).toEqual([0, 1]);
    expect(again.err).toBe('');
    expect(readFileSync('s.compact.json').equals(first)).toBe(true);
    // The cache goes along to another output of the output.
    const next = await ctx([
      'compact',
      's.compact.json',
      '-o',
      't.json',
      '--drop',
      'toolResults',
      '--no-protect-ends',
    ]);
    expect(next.code).toBe(0);
    expect(readFileSync('t.json.stash', 'utf8')).toContain('"t":"summary"');
  });

  it('explain asks nobody', async () => {
    put('s.json', session());
    const how = program(SECTIONS);
    const ran = await ctx([
      'explain',
      's.json',
      '--structured-summary',
      OPEN,
      '--summarizer',
      how,
      '--allow-transfer',
      ...COUNTED,
    ]);
    expect([ran.code, asked()]).toEqual([0, 0]);
    expect(ran.out).toContain('was not asked, so that what its summaries save is an upper bound');
    expect(ran.out).toContain('capsule');
  });

  it('exit 7 with one line, nothing written', async () => {
    put('s.json', session());
    const how = program('sorry', 3);
    const args = ['compact', 's.json', '--summarize', 'toolResults:blockThreshold=100'];
    const ran = await ctx([...args, '--summarizer', how, '--allow-transfer', ...COUNTED]);
    expect(ran.code).toBe(7);
    const lines = ran.err.split('\n');
    expect(lines[2]).toMatch(
      /^ctx: nothing could be summarized: command:node on block \d: exit code 3: a note \(and 2 more\)$/,
    );
    expect(lines[3]).toContain('--summarizer extractive needs nobody');
    expect(names().filter((name) => name.includes('compact'))).toEqual([]);
  });

  it('fallback=error: exit 7', async () => {
    put('s.json', session());
    const how = program('not JSON');
    const args = ['compact', 's.json', '--structured-summary', OPEN, '--fallback', 'error'];
    const ran = await ctx([...args, '--summarizer', how, '--allow-transfer', ...COUNTED]);
    expect(ran.code).toBe(7);
    expect(ran.err.split('\n')[2]).toBe(
      'ctx: the summary failed: command:node: the answer is not a JSON object',
    );
  });

  it('an interruption while it is asked: exit 130, nothing written', async () => {
    put('s.json', session());
    writeFileSync('slow.mjs', 'setTimeout(() => {}, 60_000);');
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 300);
    const args = ['compact', 's.json', '--structured-summary', OPEN, '--allow-transfer'];
    const how = `command:"${process.execPath}" slow.mjs`;
    const ran = await ctx([...args, '--summarizer', how, ...COUNTED], { interrupt: stop.signal });
    expect(ran.code).toBe(130);
    expect(names()).toEqual(['s.json', 'slow.mjs']);
  });
});

describe('bad input: exit 2 and one line', () => {
  const cases: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['an unknown summarizer', ['--summarizer', 'gpt'], /unknown summarizer "gpt"/],
    ['a command without a program', ['--summarizer', 'command:'], /command/],
    ['an open quote', ['--summarizer', "command:a 'b"], /quote/],
    [
      'a flag that no step takes',
      ['--preserve-messages', '0'],
      /no step takes --preserve-messages/,
    ],
    ['a number that is none', ['--mask', '--preserve-turns', 'x'], /--preserve-turns/],
    ['two repairs', ['--structured-summary', '--repair', '2'], /--repair takes 0 or 1/],
    ['an unknown option', ['--mask', 'turns=1'], /unknown option "?turns"?/],
    ['an option of another step', ['--mask', 'maxToolPairs=1'], /is an option of --algorithmic/],
    ['a word that is no number', ['--mask', 'passes=few'], /passes=few is no number of passes/],
    ['an unknown choice', ['--structured-summary', 'fallback=none'], /fallback=none is unknown/],
    ['an effect without a value', ['--mask', '--effect', 'Bash'], /Bash/],
    [
      'a manifest that is not there',
      ['--mask', '--tools', 'none.json'],
      /none\.json can't be read/,
    ],
  ];

  it.each(cases)('%s', async (_name, args, message) => {
    put('s.json', session());
    const ran = await ctx(['compact', 's.json', ...args]);
    expect([2, 3]).toContain(ran.code);
    expect(ran.err).toMatch(message);
    expect(names()).toEqual(['s.json']);
  });
});

describe('what only a person knows of tools', () => {
  async function rows(...flags: readonly string[]): Promise<unknown[]> {
    put('s.json', session());
    const ran = await ctx(['explain', 's.json', '--mask', OPEN, ...flags, '--json', ...COUNTED]);
    expect(ran.err).toBe('');
    return report(ran)
      .blocks.filter(({ kind }) => kind === 'toolResult')
      .map(({ reason }) => reason);
  }

  it('is unknown without a word', async () => {
    expect(await rows()).toEqual(['observation', 'unknown-effect', 'unknown-effect']);
  });

  it('--observe and --effect', async () => {
    const flags = ['--observe', 'Bash:npm test*', '--effect', 'lookup=read'];
    expect(await rows(...flags)).toEqual(['observation', 'user-declared', 'observation']);
    expect(await rows('--effect', 'Read=write')).toEqual([
      'write-effect',
      'unknown-effect',
      'unknown-effect',
    ]);
  });

  it('--tools', async () => {
    put('tools.json', '{"tools":[{"name":"lookup","annotations":{"readOnlyHint":true}}]}');
    expect(await rows('--tools', 'tools.json')).toEqual([
      'observation',
      'unknown-effect',
      'observation',
    ]);
  });
});

describe('steps whose value may be left out', () => {
  it.each([
    ['before the file', ['compact', '--mask', 's.json']],
    ['after it', ['compact', 's.json', '--mask']],
    ['with options', ['compact', '--mask', OPEN, 's.json']],
    ['with its target', ['compact', '--mask', `observations:${OPEN}`, 's.json']],
  ])('%s', async (_name, args) => {
    put('s.json', session());
    const ran = await ctx([
      ...args,
      '--preserve-turns',
      '0',
      '--preserve-messages',
      '1',
      ...COUNTED,
    ]);
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(readFileSync('s.compact.json', 'utf8')).toContain('[Masked: Read result, 1 line');
  });
});

describe('the transaction', () => {
  const AGENTIC = ['--mask', 'preserveRecentTurns=0,preserveRecentMessages=1', ...COUNTED];

  it('11: the input changed between plan and write: exit 6, no files', async () => {
    put('s.json', session());
    const checkpoint = () => writeFileSync('s.json', '{"messages":[]}');
    const ran = await ctx(['compact', 's.json', ...AGENTIC], { checkpoint });
    expect(ran.code).toBe(6);
    expect(names()).toEqual(['s.json']);
  });

  it('12: a stash that does not keep what was written: exit 5, no output', async () => {
    const many = new Session().user('Go.');
    for (let at = 0; at < 300; at += 1) many.read(`${at}.ts`, tokensOf(320, `value${at}`));
    put('s.json', many.says('Done.').bytes);
    const checkpoint = () => {
      // A bit of the disk flips after the first originals were written.
      const bytes = readFileSync('s.compact.json.stash');
      const at = bytes.indexOf('value7');
      if (at > 0) bytes[at] = 0x58;
      writeFileSync('s.compact.json.stash', bytes);
    };
    const ran = await ctx(['compact', 's.json', ...AGENTIC], { checkpoint });
    expect(ran.code).toBe(5);
    expect(errorLine(ran)).toMatch(/did not keep [0-9a-f]{12}/);
    expect(names()).toEqual(['s.json']);
  });
});
