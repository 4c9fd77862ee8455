/** Charts on terminals of any width, and the parts of statistics that only some formats give. */

import { stripVTControlCharacters } from 'node:util';
import { Chalk } from 'chalk';
import { describe, expect, it } from 'vitest';
import { compact, measure, memorySource, type Stats, statsOf } from '../../src/index.ts';
import { GLYPHS } from '../../src/report/bar.ts';
import { columnsOf } from '../../src/report/columns.ts';
import { renderStatsHead } from '../../src/report/stats-summary.ts';
import { renderCharts } from '../../src/report/stats-table.ts';
import { buildStats } from '../../src/stats/build.ts';
import { SECTION_NAMES } from '../../src/stats/groups.ts';
import { claude, resultLine, userLine } from '../support/session.ts';
import {
  assistant,
  BUILDERS,
  call,
  claudeCode,
  filler,
  result,
  user,
} from '../support/transcripts.ts';

const LONG = `/home/${'a'.repeat(300)}/日本語/file.ts`;
const STYLE = new Chalk({ level: 1 });
const PLAIN = { style: new Chalk({ level: 0 }), glyphs: GLYPHS.ascii, width: undefined };

function subject(): Promise<Stats> {
  const bytes = claudeCode([
    user(filler(1000)),
    call('c1', 'Read', { file_path: LONG }),
    result('c1', filler(5000)),
    call('c2', `mcp__${'server'.repeat(20)}__tool`, {}),
    result('c2', filler(5000)),
    assistant('ok'),
  ]);
  return statsOf(memorySource(bytes), { counter: 'heuristic', top: 2 });
}

describe('charts', () => {
  it.each([40, 50, 60, 70, 80, 100, 120, 200])('fit a terminal of %i columns', async (width) => {
    const text = renderCharts(await subject(), { style: STYLE, glyphs: GLYPHS.blocks, width });
    const lines = stripVTControlCharacters(text).split('\n');
    expect(lines.filter((line) => columnsOf(line) > width)).toEqual([]);
    // A path keeps its end, and every section has its bars.
    expect(lines.filter((line) => line.includes('\u2588')).length).toBeGreaterThan(8);
    expect(text).toContain('…');
    expect(text).toContain('file.ts ');
  });

  it('are not cut where there is no terminal', async () => {
    const text = renderCharts(await subject(), PLAIN);
    expect(text).toContain(LONG);
    expect(text).toContain('... 4 more ');
  });
});

describe('a call of several files', () => {
  it('is shared between them', async () => {
    const bytes = BUILDERS.anthropic([
      user('go'),
      call('c1', 'read_many_files', { paths: ['a', 'b', 'c'] }),
      result('c1', filler(100)),
    ]);
    const { files, tools } = await statsOf(memorySource(bytes), { counter: 'heuristic' });
    expect(files?.rows.map(({ path, calls }) => [path, calls])).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ]);
    const sum = (list: readonly { tokens: number; bytes: number }[] = []) => [
      list.reduce((all, { tokens }) => all + tokens, 0),
      list.reduce((all, { bytes: size }) => all + size, 0),
    ];
    expect(sum(files?.rows)).toEqual(sum(tools?.rows));
  });
});

describe('copies and repeated records', () => {
  it('have their own bytes, and nothing is counted twice', () => {
    const bytes = claude([
      userLine(1, null, 'go'),
      resultLine(2, 1, 't1', '"hi"', { raw: '"toolUseResult":"shown","backup":"more"' }),
      userLine(3, 2, 'end'),
      '{"type":"twice"}',
      '{"type":"twice"}',
    ]);
    const { transcript, counter } = measure(memorySource(bytes), { counter: 'heuristic' });
    const [conversation] = transcript.conversations;
    if (conversation === undefined) throw new Error('no conversation');
    const copies = [
      { record: 1, pointer: '/toolUseResult', name: 'toolUseResult', bytes: 5 },
      { record: 1, pointer: '/backup', name: 'a\u0007b', bytes: 4 },
    ];
    const given = {
      ...transcript,
      conversations: [{ ...conversation, copies, repeats: [{ record: 4, of: 3 }] }],
    };
    const own = buildStats(given, {
      counter,
      window: { tokens: 1000, source: 'flag', model: null },
      stash: null,
      warnings: [],
      top: 10,
      sections: new Set(SECTION_NAMES),
    });
    expect(own.copies).toEqual({
      count: 2,
      bytes: 9,
      names: [
        { name: 'toolUseResult', count: 1, bytes: 5 },
        { name: 'a\u0007b', count: 1, bytes: 4 },
      ],
    });
    const live = '"go""hi""end"'.length;
    const other = bytes.length - live - 9 - 17;
    expect(own.bytes).toEqual({ file: bytes.length, live, dead: 0, copies: 9, repeats: 17, other });
    const head = renderStatsHead(own, PLAIN);
    expect(head).toContain(
      'copies   that no model sees: toolUseResult 5 bytes (1), a\\x07b 4 bytes (1)\n',
    );
    expect(head).toContain(`${live} live, 9 copies, 17 repeated records, ${other} envelopes`);
  });
});

describe('removed messages', () => {
  it('are one text of the kind marker', async () => {
    const turns = Array.from({ length: 6 }, (_, index) => [
      user(filler(100, `u${index}`)),
      assistant(filler(100, `a${index}`)),
    ]).flat();
    const done = await compact(claudeCode(turns), {
      steps: [['drop', '*:preserveRecent=2']],
      counter: 'heuristic',
    });
    const { kinds, placeholders } = await statsOf(memorySource(done.bytes), {
      counter: 'heuristic',
    });
    const marker = kinds?.rows.find(({ origin }) => origin === 'marker');
    expect(marker).toMatchObject({ kind: 'text', blocks: 1, tokens: placeholders.tokens });
    expect(placeholders).toMatchObject({ count: 1, originals: 900, methods: { drop: 1 } });
  });
});
