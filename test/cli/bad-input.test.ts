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

/** Runs compact, explain and verify over one input: each refuses with this code, one line, and leaves nothing. */
async function refused(file: string, code: number, words: RegExp): Promise<void> {
  const before = names();
  for (const command of ['compact', 'explain']) {
    const ran = await ctx([command, file, ...TRUNCATE]);
    expect([command, ran.code]).toEqual([command, code]);
    expect(errorLine(ran)).toMatch(words);
    expect(ran.out).toBe('');
  }
  expect(names()).toEqual(before);
}

describe('input that can not be read ends with exit 3', () => {
  it('an empty file', async () => {
    await refused(put('empty.jsonl', ''), 3, /empty\.jsonl is empty/);
    await refused(put('blank.jsonl', ' \n\n'), 3, /blank\.jsonl is empty/);
    await refused(put('mark.jsonl', Buffer.from([0xef, 0xbb, 0xbf])), 3, /is empty/);
  });

  it('a directory', async () => {
    mkdirSync('folder');
    writeFileSync('folder/a.jsonl', claude());
    await refused('folder', 3, /folder is a directory/);
    await refused('.', 3, /is a directory/);
  });

  it('a binary file', async () => {
    await refused(put('a.jsonl', gzipSync(claude())), 3, /binary/);
    const elf = Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01'), Buffer.alloc(400)]);
    await refused(put('b.json', elf), 3, /binary/);
  });

  it('a missing file', async () => {
    await refused('nowhere.jsonl', 3, /can't read nowhere\.jsonl: there is no such file/);
    await refused('no/where.jsonl', 3, /there is no such file/);
  });

  it('a file in the place of a folder', async () => {
    put('file', 'x');
    await refused('file/session.jsonl', 3, /a part of the path is not a folder/);
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'a file that may not be read, a folder that may not be written',
    async () => {
      put('s.jsonl', claude());
      chmodSync('s.jsonl', 0o000);
      await refused('s.jsonl', 3, /permission denied/);
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
    await refused('one.jsonl', 3, /can't read one\.jsonl/);
  });

  it('a pattern that matches nothing', async () => {
    await refused('*.nothing', 3, /no file matches \*\.nothing/);
  });

  it('a document that is not valid JSON', async () => {
    const text = chat().toString('utf8');
    await refused(put('torn.json', text.slice(0, -40)), 3, /torn\.json is not valid JSON/);
    const comma = text.replace('"role": "system",', '"role": "system"');
    await refused(put('comma.json', comma), 3, /comma\.json is not valid JSON/);
    await refused(put('after.json', `${text}}`), 3, /after\.json is not valid JSON/);
  });
});

describe('input of an unclear format ends with exit 4', () => {
  it('an unknown format, with the scores', async () => {
    await refused(put('a.jsonl', '{"a":1}\n{"b":2}\n'), 4, /no transcript that ctx knows.*scores/);
    await refused(put('b.json', '{"hello": "world"}\n'), 4, /scores/);
    await refused(put('c.txt', 'just a text\nof two lines\n'), 4, /scores/);
  });

  it('an ambiguous format, with the scores and the way out', async () => {
    // Two clients' records in one file: both are sure.
    const two = `{"type":"session","cwd":"/x"}\n{"type":"session_start"}\n`;
    await refused(put('two.jsonl', two), 4, /could be several formats \(.* \d+, .* \d+\)/);
    expect((await ctx(['compact', 'two.jsonl'])).err).toContain('--format');
  });

  it('a known format that is not read, by its name', async () => {
    const pi = [
      '{"type":"session","version":3,"id":"a1","timestamp":"2026-01-01T00:00:00Z","cwd":"/shop"}',
      '{"type":"message","id":"b1","parentId":null,"timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":"hi","timestamp":1}}',
    ];
    await refused(put('pi.jsonl', `${pi.join('\n')}\n`), 4, /is a pi session/);
    const gemini = {
      sessionId: 's1',
      projectHash: 'abc',
      startTime: '2026-01-01T00:00:00Z',
      lastUpdated: '2026-01-01T00:00:00Z',
      messages: [{ id: 'm1', type: 'user', content: [{ text: 'hi' }] }],
    };
    await refused(put('gemini.json', JSON.stringify(gemini)), 4, /is a Gemini CLI session/);
    const opencode = {
      info: { id: 'ses_01', version: '1.0.0' },
      messages: [{ info: { id: 'msg_1', role: 'user' }, parts: [{ type: 'text', text: 'hi' }] }],
    };
    await refused(put('opencode.json', JSON.stringify(opencode)), 4, /is a OpenCode export/);
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
    const checkpoint = () => appendFileSync('s.jsonl', '{"type":"mode","mode":"plan"}\n');
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
    const checkpoint = () => appendFileSync('s.jsonl', '\n');
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
    const message = (index: number, role: string, content: unknown) =>
      writeFileSync(
        `log/agents/agent_a/messages/message_${index}.json`,
        JSON.stringify({ message: { role, content }, message_id: index, redact_message: null }),
      );
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
