/** OpenCode: what is sent of a session. */

import { describe, expect, it } from 'vitest';
import { checkTranscript } from '../../src/verify/check.ts';
import {
  blocksOf,
  done,
  HIDDEN,
  index,
  METER,
  messagesOf,
  type Part,
  session,
  shape,
  text,
  tool,
} from '../support/opencode.ts';
import { run } from '../support/run.ts';
import { longText } from '../support/session.ts';

describe('what is sent', () => {
  it('splits a reply at its steps and keeps everything of it together', () => {
    const found = index(
      session([
        ['user', [text('go')]],
        [
          'assistant',
          [
            { type: 'step-start' },
            tool('a', done('1')),
            tool('b', done('2')),
            { type: 'step-start' },
            text('then'),
            tool('c', done('3')),
            { type: 'step-start' },
            text('end'),
          ],
        ],
      ]),
    );
    expect(shape(found)).toEqual([
      'user:text',
      'assistant:toolCall,toolCall',
      'user:toolResult,toolResult',
      'assistant:text,toolCall',
      'user:toolResult',
      'assistant:text',
    ]);
    const groups = messagesOf(found).map(({ group }) => group);
    expect(new Set(groups.slice(1)).size).toBe(1);
    expect(groups[0]).not.toBe(groups[1]);
    expect(checkTranscript(found)).toEqual([]);
  });

  it('tells errors, interrupted calls and calls that never ended', () => {
    const running = { status: 'running', input: {}, time: { start: 1 } };
    const failed = {
      status: 'error',
      input: {},
      error: 'no such file',
      time: { start: 1, end: 2 },
    };
    const stopped = { ...failed, metadata: { interrupted: true, output: 'half of it' } };
    const found = index(
      session([
        ['user', [text('go')]],
        [
          'assistant',
          [tool('a', done('fine')), tool('b', failed), tool('c', stopped), tool('d', running)],
        ],
      ]),
    );
    const results = blocksOf(found).filter(({ kind }) => kind === 'toolResult');
    expect(results.map(({ isError, pointer }) => [isError, pointer])).toEqual([
      [false, '/parts/0/state/output'],
      [true, '/parts/1/state/error'],
      [true, '/parts/2/state/metadata/output'],
      [true, undefined],
    ]);
  });

  it('counts a hidden result as what the client sends, and does not offer it', () => {
    const hidden = (time: Part) =>
      blocksOf(index(session([['assistant', [tool('a', done(longText('x'), {}, time))]]]))).find(
        ({ kind }) => kind === 'toolResult',
      );
    expect(hidden({ compacted: 12 })).toMatchObject({ hidden: true, tokens: METER.text(HIDDEN) });
    expect(hidden({ compacted: 12 })?.shape).toBeUndefined();
    // The client tests the mark for truth.
    expect(hidden({ compacted: 0 })).toMatchObject({ shape: 'string' });
    expect(hidden({})?.tokens).toBe(METER.text(longText('x')));
  });

  it('knows who typed a message', () => {
    const real = (parts: readonly Part[]) =>
      messagesOf(index(session([['user', parts]]))).map((message) => message.real);
    const image = { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AAAA' };
    expect(real([text('hello')])).toEqual([true]);
    expect(real([image])).toEqual([true]);
    expect(real([text('added by the client', { synthetic: true })])).toEqual([false]);
    expect(real([text('typed'), text('added', { synthetic: true })])).toEqual([true]);
    expect(real([{ type: 'compaction', auto: true }])).toEqual([false]);
    // Nothing of these is sent.
    expect(real([text('for the screen', { ignored: true })])).toEqual([]);
    expect(real([text('')])).toEqual([]);
    expect(real([{ ...image, mime: 'text/plain' }])).toEqual([]);
  });

  it('seals what is signed', () => {
    const found = index(
      session([
        [
          'assistant',
          [
            { type: 'reasoning', text: 'hm', metadata: { anthropic: { signature: 's' } } },
            {
              type: 'reasoning',
              text: '',
              metadata: { openai: { reasoningEncryptedContent: 'A'.repeat(160) } },
            },
            { type: 'reasoning', text: 'open' },
            text('signed', { metadata: { google: { thoughtSignature: 's' } } }),
            text('plain', { metadata: { openai: { itemId: 'i' } } }),
          ],
        ],
      ]),
    );
    expect(
      blocksOf(found).map(({ kind, signed, counted, shape: at }) => [kind, signed, counted, at]),
    ).toEqual([
      ['thinking', true, true, undefined],
      ['thinking', true, false, undefined],
      ['thinking', false, true, undefined],
      ['text', true, true, undefined],
      ['text', false, true, 'string'],
    ]);
    expect(blocksOf(found)[1]?.tokens).toBe(30);
  });

  it('counts attachments with their result and leaves them where they are', async () => {
    const url = `data:image/png;base64,${'A'.repeat(400)}`;
    const attachments = [{ type: 'file', mime: 'image/png', url, id: 'prt_x' }];
    const document = session([
      ['user', [text('go')]],
      ['assistant', [tool('a', done(longText('shot'), { attachments }))]],
      ['user', [text('more')]],
      ['assistant', [text('ok')]],
    ]);
    expect(blocksOf(index(document)).find(({ kind }) => kind === 'toolResult')?.media).toEqual([
      'image',
    ]);
    const input = Buffer.from(JSON.stringify(document));
    const made = await run(input, [['drop', 'toolResults']]);
    expect(made.bytes.toString()).toContain(url);
    const native = await run(input, [['drop', 'toolResults']], { native: true });
    expect(native.report.tokens.after).toBeLessThan(made.report.tokens.after);
  });
});
