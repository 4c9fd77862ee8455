import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compactSource } from '../../src/compact.ts';
import { memorySource, parseSpec, type Source } from '../../src/index.ts';
import { NOW, useFolder } from '../support/cli.ts';
import { texts } from '../support/read.ts';
import { run } from '../support/run.ts';
import { claude } from '../support/session.ts';
import {
  assistant,
  BUILDERS,
  call,
  filler,
  result,
  type Turn,
  user,
} from '../support/transcripts.ts';
import { PNG, picture, png, screenshots, times } from './pictures.ts';

useFolder();

const FORMATS = Object.entries(BUILDERS).filter(([name]) => name !== 'codex');

/** Turns in which nearly all bytes are pictures, shown by a person or by a tool. */
function shown(count: number): Turn[] {
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((mark) => {
    const image = png(mark).toString('base64');
    const id = `t${mark}`;
    return [
      user([{ text: `Look at ${mark}.` }, { image }]),
      call(id, 'Screenshot'),
      result(id, [{ text: `Taken: ${mark}.` }, { image: png(mark + 100).toString('base64') }]),
      assistant(`Seen ${mark}.`),
    ];
  });
}

describe('sessions that are mostly pictures', () => {
  it.each(FORMATS)(
    '%s: all but the newest leave, every text stays (report 81)',
    async (_name, build) => {
      const input = build([user('Begin.'), assistant('Yes.'), ...shown(20), user('End.')]);
      const done = await run(input, [['media', '']]);
      const left = Array.from({ length: 120 }, (_, mark) =>
        times(done.bytes, png(mark + 1).toString('base64')),
      );
      expect(left.reduce((sum, count) => sum + count, 0)).toBe(1);
      expect(left[119]).toBe(1);
      const words = (bytes: Uint8Array) =>
        texts(bytes).flatMap(
          (text) => text.match(/^(?:Begin|Yes|Look at|Taken:|Seen|End).*$/gm) ?? [],
        );
      expect(words(done.bytes)).toEqual(words(input));
      expect(done.bytes.length / input.length).toBeLessThan(0.15);
    },
  );

  it.each(FORMATS)(
    '%s: on the way to a budget pictures go before text, whatever the order of the steps (report 81)',
    async (_name, build) => {
      const text = filler(2000, 'log');
      const turns = [
        user('Begin.'),
        call('b', 'Bash'),
        result('b', text),
        assistant('So.'),
        ...shown(20),
        user('End.'),
      ];
      const steps = [
        ['drop', 'toolResults:blockThreshold=1500'],
        ['media', ''],
      ] as const;
      const input = build(turns);
      const { report } = await run(input, steps);
      // What is left without any picture but one, and with the text.
      const count = report.tokens.after + 2000;
      const done = await run(input, steps, { targetTokens: { count } });
      expect(done.report.budget).toEqual({ target: count, met: true });
      expect(texts(done.bytes)).toContain(text);
      const acted = done.report.strategies.map((step) => [step.name, step.acted]);
      expect(acted).toEqual([
        ['media', 39],
        ['drop toolResults:blockThreshold=1500', 0],
      ]);
    },
  );
});

describe('the memory that a session of pictures takes', () => {
  /** A source that remembers the longest piece that was asked for. */
  function watched(bytes: Buffer): { source: Source; longest: () => number } {
    const source = memorySource(bytes, 's.jsonl');
    let longest = 0;
    const see = (start: number, end: number) => {
      longest = Math.max(longest, end - start);
    };
    return {
      longest: () => longest,
      source: {
        ...source,
        read: (start, end) => {
          see(start, end);
          return source.read(start, end);
        },
        readInto: (start, end, target, at) => {
          see(start, end);
          source.readInto(start, end, target, at);
        },
        hold: () => {
          see(0, bytes.length);
          return source.hold();
        },
      },
    };
  }

  it('does not grow with the file: the longest piece that is read stays the same (report 81)', async () => {
    const pieces: number[] = [];
    for (const count of [56, 90]) {
      const pictures = Array.from({ length: count }, (_, mark) => picture(PNG, mark, 60_000));
      const input = claude(screenshots(pictures));
      const { source, longest } = watched(input);
      const options = { counter: 'heuristic', window: 200_000, now: NOW } as const;
      const specs = [parseSpec('media', '')];
      const done = await compactSource(source, null, {
        ...options,
        specs,
        output: `${count}.jsonl`,
      });
      expect(done.bytes.after).toBe(readFileSync(`${count}.jsonl`).length);
      expect(done.bytes.after / input.length).toBeLessThan(0.05);
      pieces.push(longest());
    }
    expect(pieces[1]).toBe(pieces[0]);
    expect(pieces[0]).toBeLessThan(56 * 160_000);
  });
});
