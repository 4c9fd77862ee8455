import { describe, expect, it } from 'vitest';
import type { Step } from '../../src/index.ts';
import { lines, texts } from '../support/read.ts';
import { again, run, unref } from '../support/run.ts';
import {
  assistant,
  call,
  claudeCode,
  filler,
  png,
  result,
  strandsTs,
  user,
} from '../support/transcripts.ts';

const long = (name: string) => filler(100, name);
const sequence = (bytes: Uint8Array) => texts(bytes).map(unref);

/** A Strands TypeScript snapshot whose third message holds these content blocks. */
function holding(content: readonly unknown[], role = 'user'): Buffer {
  const value = JSON.parse(
    strandsTs([
      user('task'),
      call('t1', 'Bash'),
      result('t1', ''),
      assistant('a'),
      user('z'),
    ]).toString(),
  );
  value.data.messages[2] = { role, content, trackingId: 'track-2' };
  return Buffer.from(JSON.stringify(value));
}

describe('metadata and other dialects', () => {
  it('F47: placeholders of the seed are known by metadata.offloaded, whatever their text', async () => {
    const offloaded = { method: 'drop', preview: '[Dropped]' };
    const steps: Step[] = [['drop', 'userText']];
    const bare = holding([{ text: `[Dropped]`, metadata: { offloaded } }, { text: long('own') }]);
    const done = await run(bare, steps);
    expect(done.report.blocks.find((row) => row.message === 2)?.reason).toBe('already-offloaded');
    expect(sequence(done.bytes)[2]).toBe('[Dropped]');
    expect(sequence(done.bytes)[3]).toBe('[Dropped: ~100 tokens] [ref: …]');
  });

  it.each([
    ['drop', '[Dropped: 3 messages]', '[Dropped: 3 messages] [ref: removed-abc]'],
    [
      'truncate',
      `[Truncated: 1 block, ~7,723 tokens]\n\n${long('head')}\n\n[... 30,692 chars elided ...]\n\ntail`,
      `[Truncated: 1 block, ~7,723 tokens]\n\n${long('head')}\n\n[... 30,692 chars elided ...]\n\ntail [ref: removed-abc]`,
    ],
    [
      'summarize',
      `[Summarized: 3 messages, ~9,800 tokens]\n\n${long('summary')}`,
      `[Summarized: 3 messages, ~9,800 tokens]\n\n${long('summary')} [ref: removed-abc]`,
    ],
  ])(
    'F47: a %s placeholder of the seed has its ref at the very end and is still one',
    async (method, preview, text) => {
      const offloaded = { method, preview, ref: 'removed-abc' };
      const message = holding([{ text, metadata: { offloaded } }]);
      const done = await run(message, [['truncate', 'userText:previewTokens=10']]);
      expect(done.bytes.equals(message)).toBe(true);
      expect(done.report.blocks.find((row) => row.message === 2)?.reason).toBe('already-offloaded');
      const item = {
        toolUseId: 't1',
        status: 'success',
        content: [{ text, metadata: { offloaded } }],
      };
      const inResult = holding([{ toolResult: item }]);
      expect(
        (await run(inResult, [['truncate', 'toolResults:previewTokens=10']])).bytes.equals(
          inResult,
        ),
      ).toBe(true);
    },
  );

  it('F47: placeholders of later versions are known by the block key offloaded', async () => {
    const text = `[Truncated: 1 block, ~7,723 tokens]\n\n${long('head')} [ref: tu_abc123_0]`;
    const block = { text, offloaded: { method: 'truncate', ref: 'tu_abc123_0', tokens: 7723 } };
    const bytes = holding([block]);
    const done = await run(bytes, [['drop', 'userText']]);
    expect(done.bytes.equals(bytes)).toBe(true);
    expect(done.report.blocks.find((row) => row.message === 2)?.reason).toBe('already-offloaded');
  });

  it('F47: removedMessages of the seed count in the base of a percent preserveRecent', async () => {
    const offloaded = {
      method: 'drop',
      preview: '[Dropped: 6 messages]',
      ref: 'r',
      removedMessages: 6,
    };
    const marked = holding([{ text: '[Dropped: 6 messages] [ref: r]', metadata: { offloaded } }]);
    const value = JSON.parse(marked.toString());
    value.data.messages[1] = { role: 'assistant', content: [{ text: long('a1') }] };
    const bytes = Buffer.from(JSON.stringify(value));
    // 4 own messages and the 6 that are gone: 40% of 10 protect the newest 4, so nothing is left to take.
    const done = await run(bytes, [['drop', '*:preserveRecent=40%']]);
    expect(done.bytes.equals(bytes)).toBe(true);
  });

  it('F45: a picture is measured by its dimensions; one of unknown size always passes blockThreshold', async () => {
    const turns = (image: string) => [
      user('task'),
      assistant('a1'),
      user([{ text: 'look' }, { image }]),
      assistant('a3'),
      user([{ text: 'again' }, { image: png(10, 10) }]),
      assistant('a5'),
      user('last'),
    ];
    const steps: Step[] = [['drop', 'media:blockThreshold=500,preserveRecent=1']];
    // 750 x 600 are 600 tokens, 750 x 500 are 500: not above the threshold.
    const above = await run(strandsTs(turns(png(750, 600))), steps);
    expect(sequence(above.bytes)).toContain(
      '[Dropped: image, ~600 tokens, removed from context after it was viewed] [ref: …]',
    );
    expect((await run(strandsTs(turns(png(750, 500))), steps)).stash).toBeNull();
    const unknown = await run(
      strandsTs(turns(Buffer.from('no picture').toString('base64'))),
      steps,
    );
    expect(sequence(unknown.bytes)).toContain(
      '[Dropped: image, removed from context after it was viewed] [ref: …]',
    );
  });

  it('F46: on * blockThreshold measures the message; the old name is refused with the new one', async () => {
    const two = [{ text: filler(600, 'x') }, { text: filler(600, 'y') }];
    const bytes = claudeCode([
      user('task'),
      assistant('a1'),
      user(two),
      assistant('a3'),
      user('last'),
    ]);
    const done = await run(bytes, [['drop', '*:blockThreshold=1199']]);
    expect(sequence(done.bytes)[2]).toBe('[Dropped: 1 message, ~1,200 tokens] [ref: …]');
    expect((await run(bytes, [['drop', '*:blockThreshold=1200']])).stash).toBeNull();
    for (const [old, name] of [
      ['threshold', 'blockThreshold'],
      ['utilization', 'contextUtilization'],
    ])
      await expect(run(bytes, [['drop', `*:${old}=2000`]])).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringContaining(name as string),
      });
  });

  it('F48: unknown keys of blocks, messages and records survive', async () => {
    const value = JSON.parse(
      strandsTs([
        user('task'),
        call('t1', 'Bash'),
        result('t1', long('r')),
        assistant('a'),
        user('z'),
      ]).toString(),
    );
    const item = value.data.messages[2].content[0].toolResult.content[0];
    item.metadata = { custom: { seen: true } };
    item.extra = 1;
    value.data.messages[2].metadata = { usage: { inputTokens: 5 }, custom: { mine: 'yes' } };
    value.appData = { other: [1.5] };
    const done = await run(Buffer.from(JSON.stringify(value)), [['drop', 'toolResults']]);
    const after = JSON.parse(done.bytes.toString());
    const edited = after.data.messages[2].content[0].toolResult.content[0];
    expect(edited.metadata.custom).toEqual({ seen: true });
    expect(edited.metadata.offloaded).toMatchObject({
      method: 'drop',
      preview: '[Dropped: ~100 tokens]',
    });
    expect(edited.extra).toBe(1);
    expect(after.data.messages[2].metadata).toEqual(value.data.messages[2].metadata);
    expect(after.appData).toEqual(value.appData);
    expect((await again(done, [['drop', 'toolResults']])).bytes.equals(done.bytes)).toBe(true);

    const session = lines(claudeCode([user('task'), assistant(long('a1')), user('z')]));
    (session[1] as Record<string, unknown>)['ctx'] = 'of another tool';
    const foreign = Buffer.from(session.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const kept = await run(foreign, [['drop', 'assistantText']]);
    expect(lines(kept.bytes)[1]?.['ctx']).toBe('of another tool');
  });
});
