import { afterEach, describe, expect, it, vi } from 'vitest';
import { refs, resultText, texts } from '../support/read.ts';
import { original, run, unref } from '../support/run.ts';
import {
  assistant,
  call,
  claudeCode,
  failed,
  filler,
  result,
  strandsTs,
  user,
} from '../support/transcripts.ts';

const long = (name: string) => filler(100, name);
const sequence = (bytes: Uint8Array) => texts(bytes).map(unref);

afterEach(() => {
  vi.restoreAllMocks();
});

describe('encoding, metadata and content', () => {
  it('F42: a preview never cuts a surrogate pair nor a grapheme', async () => {
    const graphemes = [
      '\u{1F9D1}\u200D\u{1F680}',
      'e\u0301',
      '\u{1F1E9}\u{1F1EA}',
      '\u{1F44D}\u{1F3FD}',
      'x',
    ];
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
    for (const unit of graphemes) {
      const text = unit.repeat(4000);
      const turns = [
        user('task'),
        call('t1', 'Bash'),
        result('t1', text),
        assistant('a'),
        user('z'),
      ];
      for (const mode of ['head', 'tail', 'headTail'])
        for (const previewTokens of [50, 51, 52, 53, 54, 55, 56, 57, 99]) {
          const spec = `toolResults:previewTokens=${previewTokens},preview=${mode}`;
          const done = await run(claudeCode(turns), [['truncate', spec]]);
          const preview = resultText(done.bytes, 't1');
          expect(preview).toMatch(/^\[Truncated: /);
          expect(preview.isWellFormed()).toBe(true);
          for (const part of preview.split('\n\n').filter((piece) => !piece.startsWith('['))) {
            const whole = [...segmenter.segment(part)].every(({ segment }) => segment === unit);
            expect(`${mode} ${previewTokens} ${whole}`).toBe(`${mode} ${previewTokens} true`);
          }
        }
    }
  });

  it('F42: a preview is cut on line ends where one is near', async () => {
    const text = filler(3000);
    const turns = [user('task'), call('t1', 'Bash'), result('t1', text), assistant('a'), user('z')];
    const done = await run(claudeCode(turns), [['truncate', 'toolResults:previewTokens=205']]);
    const [, head, elided, tail] = resultText(done.bytes, 't1').split(/\n\n+/) as string[];
    // 60% of 205 tokens are 123, so 12 whole lines of 10; the tail has 82, so 8 lines.
    expect(head).toBe(text.split('\n').slice(0, 12).join('\n'));
    expect(tail).toBe(text.split('\n').slice(-8).join('\n'));
    expect(elided).toBe('[... 11,200 chars elided (lines 13-292) ...]');
  });

  it('F42: a lone surrogate of the input is kept as it is', async () => {
    const turns = [
      user('task'),
      call('t1', 'Bash'),
      result('t1', long('r')),
      assistant('a'),
      user('z'),
    ];
    const text = claudeCode(turns).toString().replace('"task"', '"ta\\ud83dsk"');
    const done = await run(Buffer.from(text), [['drop', 'toolResults']]);
    expect(done.bytes.toString()).toContain('"ta\\ud83dsk"');
  });

  it('F43: numbers have en-US commas whatever the locale of the host', async () => {
    vi.spyOn(Number.prototype, 'toLocaleString').mockReturnValue('12.345');
    const bytes = claudeCode([
      user('task'),
      call('t1', 'Bash'),
      result('t1', filler(1_234_567)),
      assistant(filler(12_345)),
      user('z'),
    ]);
    const done = await run(bytes, [
      ['drop', 'toolResults'],
      ['truncate', 'assistantText:previewTokens=40'],
    ]);
    expect(sequence(done.bytes)[2]).toBe('[Dropped: ~1,234,567 tokens] [ref: …]');
    expect(sequence(done.bytes)[3]).toMatch(/^\[Truncated: 1 block, ~12,345 tokens\] /);
    expect(sequence(done.bytes)[3]).toMatch(/\n\[\.\.\. \d\d,\d{3} chars elided \(/);
  });

  it('F44: the preview of a JSON item shows the value, not its wrapper, and counts it as JSON', async () => {
    const json = {
      rows: Array.from({ length: 300 }, (_, index) => ({ id: index, name: `row ${index}` })),
    };
    const turns = [
      user('task'),
      call('t1', 'Query'),
      result('t1', [{ json }]),
      assistant('a'),
      user('z'),
    ];
    const done = await run(strandsTs(turns), [['truncate', 'toolResults:previewTokens=100']]);
    const preview = resultText(done.bytes, 't1');
    expect(preview).not.toContain('"json"');
    expect(preview).toContain('\n\n{"rows":[{"id":0,"name":"row 0"},');
    // The heuristic takes two characters of compact JSON for a token.
    const tokens = Math.ceil(JSON.stringify(json).length / 2).toLocaleString('en-US');
    expect(unref(preview.split('\n')[0] as string)).toBe(
      `[Truncated: 1 block, ~${tokens} tokens] [ref: …]`,
    );
    expect(JSON.parse(original(done, refs(done.bytes)[0] as string))).toEqual(json);
  });

  it('F44: texts and JSON items of one result become one preview that counts its items', async () => {
    const items = [
      { text: filler(300, 'first') },
      { json: { a: 1 } },
      { text: filler(300, 'third') },
    ];
    const turns = [
      user('task'),
      call('t1', 'Query'),
      result('t1', items),
      assistant('a'),
      user('z'),
    ];
    const done = await run(strandsTs(turns), [['truncate', 'toolResults:previewTokens=100']]);
    expect(resultText(done.bytes, 't1')).toMatch(/^\[Truncated: 3 blocks, ~\d+ tokens\] \[ref: /);
    expect(original(done, refs(done.bytes)[0] as string)).toContain('first 0 ');
    expect(original(done, refs(done.bytes)[0] as string)).toContain('third 0 ');
  });

  it('a failed result keeps its first error line and its last lines', async () => {
    const text = `${filler(500, 'a')}\nTypeError: x is not a function\n${filler(500, 'b')}`;
    const turns = [user('task'), call('t1', 'Bash'), failed('t1', text), assistant('a'), user('z')];
    const done = await run(claudeCode(turns), [['truncate', 'toolResultErrors:previewTokens=60']]);
    expect(resultText(done.bytes, 't1')).toContain('TypeError: x is not a function');
    expect(resultText(done.bytes, 't1').endsWith(text.slice(-30))).toBe(true);
  });
});
