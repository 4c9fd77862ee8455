import { describe, expect, it } from 'vitest';
import { CtxError, parse, restore, retrieve, type Step } from '../../src/index.ts';
import { refs, resultText } from '../support/read.ts';
import { again, original, run, unref } from '../support/run.ts';
import {
  assistant,
  BUILDERS,
  call,
  claudeCode,
  filler,
  openaiChat,
  result,
  type Turn,
  user,
} from '../support/transcripts.ts';

const long = (name: string) => filler(100, name);
const TRUNCATE: Step[] = [['truncate', 'toolResults:blockThreshold=50,previewTokens=20']];

/** A session in which these results are old. */
const withResults = (...contents: readonly string[]): Turn[] => [
  user('task'),
  ...contents.flatMap((content, index) => [
    call(`t${index}`, 'Bash', { n: index }),
    result(`t${index}`, content),
    assistant('so'),
  ]),
  user('last'),
];

describe('stash and retrieval', () => {
  it('F29: a preview is never stashed as an original, with the stash at hand', async () => {
    const turns = withResults(filler(1000, 'one'), filler(1000, 'two'));
    for (const build of Object.values(BUILDERS)) {
      const done = await run(build(turns), TRUNCATE);
      const more = await again(done, [
        ['drop', 'toolResults'],
        ['drop', '*:preserveRecent=1'],
      ]);
      const stash = more.stash ?? (done.stash as Buffer);
      for (const ref of [...refs(done.bytes), ...refs(more.bytes)]) {
        const found = retrieve(stash, ref);
        expect(found.type === 'text' ? found.text : '').not.toMatch(/^\[(Truncated|Dropped)/);
      }
      expect(resultText(more.bytes, 't0')).toBe(resultText(done.bytes, 't0'));
    }
  });

  it('F29: without the stash a placeholder is known by its identity, or reported and left alone', async () => {
    const turns = withResults(filler(1000, 'one'));
    for (const [name, build] of Object.entries(BUILDERS)) {
      const done = await run(build(turns), TRUNCATE);
      const lost = await run(done.bytes, [['drop', 'toolResults']]);
      expect(lost.bytes.equals(done.bytes)).toBe(true);
      expect(lost.stash).toBeNull();
      const typed = ['claude-code', 'strands-ts', 'codex'].includes(name);
      const codes = lost.report.warnings.map(({ code }) => code);
      expect(codes.includes('unresolved-placeholder')).toBe(!typed);
    }
  });

  it('F29: a placeholder whose stash was lost is not served as an original by a later stash', async () => {
    const turns = withResults(filler(1000, 'one'));
    const first = await run(openaiChat(turns), TRUNCATE);
    const value = JSON.parse(first.bytes.toString());
    value.messages.splice(
      -1,
      0,
      ...JSON.parse(
        openaiChat([
          call('n', 'Bash'),
          result('n', filler(1000, 'new')),
          assistant('so'),
        ]).toString(),
      ).messages,
    );
    // The first stash is gone; a second run makes a new one, a third run has it.
    const second = await run(Buffer.from(JSON.stringify(value)), TRUNCATE);
    expect(resultText(second.bytes, 't0')).toBe(resultText(first.bytes, 't0'));
    const third = await again(second, [['drop', 'toolResults']]);
    expect(resultText(third.bytes, 't0')).toBe(resultText(first.bytes, 't0'));
  });

  it('F29: a lost original is an error of its own, not a wrong answer', async () => {
    const done = await run(claudeCode(withResults(filler(1000))), TRUNCATE);
    const stash = done.stash as Buffer;
    expect(() => retrieve(stash, 'ffffffffffff')).toThrow(CtxError);
    const error = (ref: string, bytes: Buffer) => {
      try {
        retrieve(bytes, ref);
      } catch (cause) {
        const { code, exitCode } = cause as CtxError;
        return [code, exitCode];
      }
      return undefined;
    };
    expect(error('ffffffffffff', stash)).toEqual(['ref-unknown', 5]);
    const damaged = Buffer.from(stash.toString('latin1').replace('line 7 ', 'line 8 '), 'latin1');
    expect(error(refs(done.bytes)[0] as string, damaged)).toEqual(['stash-corrupt', 5]);
  });

  it('F30: genuine text that ends in a ref is offloaded like any other', async () => {
    const text = `${filler(500)} [ref: 3f9a1c7b2d04]`;
    for (const build of Object.values(BUILDERS)) {
      const done = await run(build(withResults(text)), TRUNCATE);
      expect(resultText(done.bytes, 't0')).toMatch(/^\[Truncated: /);
      expect(original(done, refs(done.bytes)[0] as string)).toBe(text);
    }
  });

  it('F31: genuine text that begins like a marker is offloaded like any other', async () => {
    for (const start of [
      '[Truncated: 1 block, ~7,723 tokens]',
      '[Dropped] by the server',
      '[Truncated: ',
    ]) {
      const text = `${start}\n${filler(500)}`;
      for (const build of Object.values(BUILDERS)) {
        const done = await run(build(withResults(text)), TRUNCATE);
        const preview = resultText(done.bytes, 't0');
        expect(unref(preview.split('\n')[0] as string)).toMatch(
          /^\[Truncated: 1 block, ~5\d\d tokens\] \[ref: …\]$/,
        );
        expect(original(done, refs(done.bytes)[0] as string)).toBe(text);
      }
    }
  });

  it('F32: every ref in an output resolves, after one run and after more', async () => {
    const turns = [
      ...withResults(filler(900, 'a'), filler(900, 'b'), filler(900, 'c')).slice(0, -1),
      user(long('u')),
      assistant(long('v')),
      user('end'),
    ];
    const steps: Step[][] = [
      TRUNCATE,
      [['drop', 'tool::Bash:preserveRecent=1']],
      [['summarize', '*:preserveRecent=4']],
      [
        ['drop', '*:preserveRecent=2'],
        ['drop', 'userText'],
      ],
    ];
    for (const build of Object.values(BUILDERS)) {
      let done = await run(build(turns), steps[0] as Step[]);
      for (const more of steps) {
        const next = await again(done, more);
        if (next.stash !== null) done = next;
        const found = refs(done.bytes);
        expect(found.length).toBeGreaterThan(0);
        for (const ref of found) expect(() => retrieve(done.stash as Buffer, ref)).not.toThrow();
      }
      expect(restore(done.bytes, done.stash as Buffer).equals(build(turns))).toBe(true);
    }
  });

  it('F33: a reused call id does not mix up originals', async () => {
    const turns = [
      user('task'),
      call('same', 'Bash'),
      result('same', filler(500, 'first')),
      assistant('so'),
      user('more'),
      call('same', 'Read'),
      result('same', filler(500, 'second')),
      assistant('so'),
      user('last'),
    ];
    for (const build of Object.values(BUILDERS)) {
      const done = await run(build(turns), [['drop', 'toolResults']]);
      const [one, two] = refs(done.bytes) as [string, string];
      expect(original(done, one)).toBe(filler(500, 'first'));
      expect(original(done, two)).toBe(filler(500, 'second'));
      // A result belongs to the latest call before it.
      const tools = parse(build(turns)).conversations[0]?.blocks.filter(
        ({ kind }) => kind === 'toolResult',
      );
      expect(tools?.map(({ tool }) => tool)).toEqual(['Bash', 'Read']);
    }
  });
});
