import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ctx, errorLine, names, put, TRUNCATE, useFolder } from '../support/cli.ts';
import { chat, claude, claudeLines, longText } from '../support/session.ts';

useFolder();

/** How compact and explain refuse an input: code and line, the same for both, and nothing is left behind. */
async function refusal(file: string): Promise<string> {
  const before = names();
  const said: string[] = [];
  for (const command of ['compact', 'explain']) {
    const ran = await ctx([command, file, ...TRUNCATE]);
    expect(ran.out).toBe('');
    said.push(`${ran.code} ${errorLine(ran)}`);
  }
  expect(names()).toEqual(before);
  expect(said[0]).toBe(said[1]);
  return said[0] as string;
}

describe('input that can not be read ends with exit 3', () => {
  it('an empty file', async () => {
    expect(await refusal(put('empty.jsonl', ''))).toMatch(/^3 ctx: .*empty\.jsonl is empty/);
    expect(await refusal(put('blank.jsonl', ' \n\n'))).toMatch(/^3 ctx: .*blank\.jsonl is empty/);
    expect(await refusal(put('mark.jsonl', Buffer.from([0xef, 0xbb, 0xbf])))).toMatch(
      /^3 ctx: .*is empty/,
    );
  });

  it('a directory', async () => {
    mkdirSync('folder');
    writeFileSync('folder/a.jsonl', claude());
    expect(await refusal('folder')).toMatch(/^3 ctx: .*folder is a directory/);
    expect(await refusal('.')).toMatch(/^3 ctx: .*is a directory/);
  });

  it('a binary file', async () => {
    // A compressed transcript is read; what it holds may still be binary.
    const packed = gzipSync(Buffer.alloc(400));
    expect(await refusal(put('a.jsonl.gz', packed))).toMatch(/^3 ctx: .*binary/);
    const elf = Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01'), Buffer.alloc(400)]);
    expect(await refusal(put('b.json', elf))).toMatch(/^3 ctx: .*binary/);
  });

  it('a missing file', async () => {
    expect(await refusal('nowhere.jsonl')).toMatch(
      /^3 ctx: .*can't read nowhere\.jsonl: there is no such file/,
    );
    expect(await refusal('no/where.jsonl')).toMatch(/^3 ctx: .*there is no such file/);
  });

  it('a file in the place of a folder', async () => {
    put('file', 'x');
    expect(await refusal('file/session.jsonl')).toMatch(
      /^3 ctx: .*a part of the path is not a folder/,
    );
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'a file that may not be read, a folder that may not be written',
    async () => {
      put('s.jsonl', claude());
      chmodSync('s.jsonl', 0o000);
      expect(await refusal('s.jsonl')).toMatch(/^3 ctx: .*permission denied/);
      chmodSync('s.jsonl', 0o600);
      chmodSync('.', 0o500);
      const ran = await ctx(['compact', 's.jsonl', ...TRUNCATE]);
      chmodSync('.', 0o700);
      expect(ran.code).toBe(6);
      expect(errorLine(ran)).toContain('permission denied');
      expect(names()).toEqual(['s.jsonl']);
    },
  );

  it('a chain of links that never ends', async () => {
    symlinkSync('two.jsonl', 'one.jsonl');
    symlinkSync('one.jsonl', 'two.jsonl');
    expect(await refusal('one.jsonl')).toMatch(/^3 ctx: .*can't read one\.jsonl/);
  });

  it('a pattern that matches nothing', async () => {
    expect(await refusal('*.nothing')).toMatch(/^3 ctx: .*no file matches \*\.nothing/);
  });

  it('a document that is not valid JSON', async () => {
    const text = chat().toString('utf8');
    expect(await refusal(put('torn.json', text.slice(0, -40)))).toMatch(
      /^3 ctx: .*torn\.json is not valid JSON/,
    );
    const comma = text.replace('"role": "system",', '"role": "system"');
    expect(await refusal(put('comma.json', comma))).toMatch(
      /^3 ctx: .*comma\.json is not valid JSON/,
    );
    expect(await refusal(put('after.json', `${text}}`))).toMatch(
      /^3 ctx: .*after\.json is not valid JSON/,
    );
  });
});

describe('input of an unclear format ends with exit 4', () => {
  it('an unknown format, with the scores', async () => {
    expect(await refusal(put('a.jsonl', '{"a":1}\n{"b":2}\n'))).toMatch(
      /^4 ctx: .*no transcript that ctx knows.*scores/,
    );
    expect(await refusal(put('b.json', '{"hello": "world"}\n'))).toMatch(/^4 ctx: .*scores/);
    expect(await refusal(put('c.txt', 'just a text\nof two lines\n'))).toMatch(/^4 ctx: .*scores/);
  });

  it('an ambiguous format, with the scores and the way out', async () => {
    // Two clients' records in one file: both are sure.
    const codex = `{"type":"session_meta","timestamp":"2026-01-01T00:00:00Z","payload":{"id":"a"}}`;
    const pi = `{"type":"session","version":3,"id":"a","cwd":"/x"}`;
    const two = `${codex}\n${pi}\n`;
    expect(await refusal(put('two.jsonl', two))).toMatch(
      /^4 ctx: .*could be several formats \(.* \d+, .* \d+\)/,
    );
    expect((await ctx(['compact', 'two.jsonl'])).err).toContain('--format');
  });

  it('a known format that is not read, by its name', async () => {
    expect(await refusal(put('chat.md', '# aider chat started at 2026-01-01\n'))).toMatch(
      /^4 ctx: .*is a Aider chat history/,
    );
    const chat = { eval: { task: 't' }, samples: [] };
    expect(await refusal(put('log.json', JSON.stringify(chat)))).toMatch(
      /^4 ctx: .*is a Inspect log/,
    );
    const tables = ['session', 'message', 'part'].map((name) => `CREATE TABLE \`${name}\` (id)`);
    expect(await refusal(put('opencode.db', `SQLite format 3\0${tables.join('\0')}`))).toMatch(
      /^4 ctx: .*is a OpenCode database/,
    );
  });

  it('a format that --format names and nobody knows', async () => {
    put('s.jsonl', claude());
    const ran = await ctx(['compact', 's.jsonl', '--format', 'claud']);
    expect(ran.code).toBe(4);
    expect(errorLine(ran)).toContain('claud');
    expect(ran.err).toContain('claude-code');
    expect(names()).toEqual(['s.jsonl']);
  });
});

function message(index: number, role: string, content: unknown): void {
  writeFileSync(
    `log/agents/agent_a/messages/message_${index}.json`,
    JSON.stringify({ message: { role, content }, message_id: index, redact_message: null }),
  );
}

function append(text: string): () => void {
  return () => appendFileSync('s.jsonl', text);
}

describe('a file that changes while it is read', () => {
  const change = {
    grows: () => appendFileSync('s.jsonl', `${claudeLines()[1]}\n`),
    shrinks: () => writeFileSync('s.jsonl', claude().subarray(0, -500)),
    'is replaced': () => writeFileSync('s.jsonl', claude(claudeLines().toReversed())),
  };

  it.each(Object.entries(change))('%s: exit 6 and nothing written', async (_name, act) => {
    put('s.jsonl', claude());
    let asked = false;
    const checkpoint = () => {
      if (!asked) act();
      asked = true;
    };
    const ran = await ctx(['compact', 's.jsonl', ...TRUNCATE], { checkpoint });
    expect(asked).toBe(true);
    expect(ran.code).toBe(6);
    expect(errorLine(ran)).toMatch(/s\.jsonl changed while it was read/);
    expect(names()).toEqual(['s.jsonl']);
  });

  it('in place: what a client appended is not lost', async () => {
    put('s.jsonl', claude());
    const checkpoint = append('{"type":"mode","mode":"plan"}\n');
    const ran = await ctx(['compact', 's.jsonl', '--in-place', ...TRUNCATE], { checkpoint });
    expect(ran.code).toBe(6);
    expect(names()).toEqual(['s.jsonl']);
    const text = readFileSync('s.jsonl', 'utf8');
    expect(text.startsWith(claude().toString('utf8'))).toBe(true);
    expect(text.endsWith('{"type":"mode","mode":"plan"}\n')).toBe(true);
  });

  it('an earlier stash is rolled back to what it was', async () => {
    put('s.jsonl', claude());
    await ctx(['compact', 's.jsonl', '--in-place', ...TRUNCATE]);
    const more = JSON.parse(claudeLines().at(-2) as string) as { uuid: string };
    expect(more.uuid).toBeDefined();
    const stash = readFileSync('s.jsonl.stash');
    const compacted = readFileSync('s.jsonl');
    const checkpoint = append('\n');
    const drop = ['--drop', 'assistantText', '--no-protect-ends'];
    const long = compacted
      .toString('utf8')
      .replace(
        'Found: half cents are cut, not rounded.',
        longText('said', 20).replaceAll('\n', ' '),
      );
    writeFileSync('s.jsonl', long);
    const ran = await ctx(['compact', 's.jsonl', '--in-place', ...drop], { checkpoint });
    expect(ran.code).toBe(6);
    expect(readFileSync('s.jsonl.stash').equals(stash)).toBe(true);
    expect(names()).toEqual(['s.jsonl', 's.jsonl.stash']);
  });

  it('is noticed by its hash when size and time stay the same', async () => {
    put('s.jsonl', claude());
    utimesSync('s.jsonl', 1_700_000_000, 1_700_000_000);
    let asked = false;
    const checkpoint = () => {
      if (asked) return;
      asked = true;
      const text = readFileSync('s.jsonl', 'utf8').replace('Done.', 'Nope.');
      writeFileSync('s.jsonl', text);
      utimesSync('s.jsonl', 1_700_000_000, 1_700_000_000);
    };
    const ran = await ctx(['compact', 's.jsonl', ...TRUNCATE], { checkpoint });
    expect(asked).toBe(true);
    expect(ran.code).toBe(6);
    expect(names()).toEqual(['s.jsonl']);
  });

  it('a folder session that changes is noticed as well', async () => {
    mkdirSync('log/agents/agent_a/messages', { recursive: true });
    writeFileSync('log/session.json', '{"session_id":"s1","session_type":"AGENT"}');
    writeFileSync('log/agents/agent_a/agent.json', '{"agent_id":"a","state":{}}');
    message(0, 'user', [{ text: 'Find it.' }]);
    message(1, 'assistant', [{ toolUse: { toolUseId: 't1', name: 'sh', input: {} } }]);
    const result = { toolUseId: 't1', status: 'success', content: [{ text: longText('log') }] };
    message(2, 'user', [{ toolResult: result }]);
    message(3, 'assistant', [{ text: 'Found.' }]);
    message(4, 'user', [{ text: 'Thanks.' }]);
    const before = names();
    const checkpoint = () => message(5, 'assistant', [{ text: 'More.' }]);
    const ran = await ctx(['compact', 'log', '--in-place', ...TRUNCATE], { checkpoint });
    expect(ran.code).toBe(6);
    expect(errorLine(ran)).toMatch(/changed while it was read/);
    expect(names()).toEqual([...before, 'log/agents/agent_a/messages/message_5.json'].toSorted());
  });
});
