import { describe, expect, it } from 'vitest';
import { retrieve, type Step } from '../../src/index.ts';
import { viewText } from '../../src/retrieve/view.ts';
import { read, refs, texts } from '../support/read.ts';
import { original, run, unref } from '../support/run.ts';
import {
  assistant,
  BUILDERS,
  call,
  claudeCode,
  filler,
  openaiChat,
  png,
  result,
  strandsTs,
  user,
} from '../support/transcripts.ts';

const long = (name: string) => filler(100, name);
const count = (text: string) => Math.ceil(text.length / 4);
const TRUNCATE: Step[] = [['truncate', 'toolResults:blockThreshold=50,previewTokens=20']];

describe('retrieval of media, documents and empty texts', () => {
  it('F34: media bytes are stored once', async () => {
    const image = png(800, 800, 7);
    const look = (name: string) => user([{ text: name }, { image }]);
    const turns = [
      user('task'),
      assistant('a'),
      look('x'),
      assistant('b'),
      look('y'),
      assistant('c'),
      user('z'),
      assistant('d'),
      user('end'),
    ];
    const copies = (stash: Buffer | null) =>
      (stash?.toString('latin1') ?? '').split(image).length - 1;
    const pair = await run(strandsTs(turns), [['drop', 'media:contextUtilization=1%']], {
      window: 10_000,
    });
    const found = refs(pair.bytes);
    expect(found).toHaveLength(2);
    expect(new Set(found).size).toBe(1);
    expect(copies(pair.stash)).toBe(1);
    expect(pair.report.stash?.entries).toBe(1);
    const both = await run(
      strandsTs(turns.filter((_, index) => index !== 4 && index !== 5)),
      [
        ['drop', 'media:contextUtilization=1%'],
        ['drop', '*:preserveRecent=2'],
      ],
      { window: 10_000 },
    );
    expect(copies(both.stash)).toBe(1);
  });

  it('F37: media come back as their bytes, never as base64 in text', async () => {
    const image = png(800, 800);
    for (const build of [
      strandsTs,
      claudeCode,
      openaiChat,
      BUILDERS.anthropic,
      BUILDERS.converse,
    ]) {
      const turns = [
        user('task'),
        assistant('a'),
        user([{ text: 'x' }, { image }]),
        assistant('b'),
        user('z'),
      ];
      const done = await run(build(turns), [['drop', 'media:contextUtilization=1%']], {
        window: 10_000,
      });
      const found = retrieve(done.stash as Buffer, refs(done.bytes)[0] as string);
      expect(found.type).toBe('media');
      expect(found.type === 'media' ? found.bytes.toString('base64') : '').toBe(image);
    }
    const mixed = [
      user('task'),
      call('t', 'Shot'),
      result('t', [{ text: long('r') }, { image }]),
      assistant('b'),
      user('z'),
    ];
    const done = await run(strandsTs(mixed), [['drop', 'toolResults']]);
    const found = retrieve(done.stash as Buffer, refs(done.bytes)[0] as string);
    expect(found.type === 'text' ? found.text : '').toContain(long('r'));
    expect(found.type === 'text' ? found.text : image).not.toContain(image);
    expect(found.raw.toString()).toContain(image);
  });

  it('F38: a document is stored whatever its source', async () => {
    const sources = [
      { location: { type: 's3', uri: 's3://bucket/paper.pdf' } },
      { url: 'https://example.com/paper.pdf' },
      { text: long('plain') },
      { content: [{ text: long('part') }] },
    ];
    for (const document of sources) {
      const block = { document: { format: 'pdf', name: 'paper', source: document } };
      const turns = [
        user('task'),
        assistant('a'),
        user([{ text: 'x' }, { document }]),
        assistant('b'),
        user([{ document }]),
      ];
      const done = await run(strandsTs(turns), [['drop', 'media:preserveRecent=1']]);
      const marker = read(done.bytes)[2]?.blocks[1]?.text ?? '';
      expect(unref(marker)).toMatch(
        /^\[Dropped: document(, ~\d+ tokens)?, removed from context after it was viewed\] \[ref: …\]$/,
      );
      const found = retrieve(done.stash as Buffer, refs(done.bytes)[0] as string);
      expect(found.raw.toString()).toBe(JSON.stringify(block));
    }
  });

  it('F39: an empty text is empty, not an error', async () => {
    expect(viewText('', { pattern: 'x' }, count)).toEqual({
      text: '',
      notes: ['Content is empty (0 lines).'],
    });
    expect(viewText('', { lines: { from: 1, to: 2 } }, count).text).toBe('');
    const turns = [
      user('task'),
      call('t', 'Bash'),
      result('t', [{ text: '' }, { text: long('r') }]),
      assistant('b'),
      user('z'),
    ];
    const done = await run(strandsTs(turns), [['drop', 'toolResults']]);
    expect(original(done, refs(done.bytes)[0] as string)).toBe(`\n${long('r')}`);
  });

  it('F40: only what was replaced is named and stored: a kept picture is not', async () => {
    const image = png(100, 100);
    for (const build of [strandsTs, claudeCode, BUILDERS.anthropic]) {
      const turns = [
        user('task'),
        call('t', 'Shot'),
        result('t', [{ text: filler(500) }, { image }]),
        assistant('b'),
        user('z'),
      ];
      const done = await run(build(turns), TRUNCATE);
      expect(done.bytes.toString()).toContain(image);
      expect(refs(done.bytes)).toHaveLength(1);
      const found = retrieve(done.stash as Buffer, refs(done.bytes)[0] as string);
      expect(found.raw.toString()).not.toContain(image);
      expect(done.stash?.toString()).not.toContain(image);
      expect(texts(done.bytes)[2]).toMatch(/^\[Truncated: 1 block, ~500 tokens\]/);
    }
  });
});
