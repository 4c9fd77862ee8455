/** OpenCode: what is live, and input that is not what it should be. */

import { describe, expect, it, test } from 'vitest';
import { detectFormat } from '../../src/detect/detect.ts';
import { readHead } from '../../src/detect/head.ts';
import { memorySource } from '../../src/load/source.ts';
import { checkTranscript } from '../../src/verify/check.ts';
import { index, messagesOf, type Part, session, shape, text } from '../support/opencode.ts';

describe('what is live', () => {
  const compaction = (tail: string | undefined, finished = true) =>
    index(
      session([
        ['user', [text('one')]],
        ['assistant', [text('first')]],
        ['user', [text('two')]],
        ['assistant', [text('second')]],
        ['user', [{ type: 'compaction', auto: true, tail_start_id: tail }]],
        [
          'assistant',
          [text('summary')],
          { summary: true, ...(finished ? { finish: 'stop' } : {}) },
        ],
        ['user', [text('three')]],
      ]),
    );

  it('is what follows the newest finished compaction', () => {
    const found = compaction(undefined);
    expect(messagesOf(found).map(({ live }) => live)).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(
      messagesOf(found)
        .map(({ fixed }) => fixed)
        .slice(4),
    ).toEqual(['compaction-summary', 'compaction-summary', undefined]);
  });

  it('goes back to the message that the kept tail begins with', () => {
    const found = compaction('msg_000000000003abcdefghijklmn');
    expect(messagesOf(found).map(({ live }) => live)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(messagesOf(found)[2]?.fixed).toBe('preserved-segment');
  });

  it('is everything while the summary is not finished', () => {
    expect(messagesOf(compaction(undefined, false)).every(({ live }) => live)).toBe(true);
  });

  it('is everything when the tail is not in the file', () => {
    expect(messagesOf(compaction('msg_gone')).every(({ live }) => live)).toBe(true);
  });

  it('leaves out failed replies, but not what was aborted with something in it', () => {
    const failed = (name: string, parts: readonly Part[]) =>
      shape(index(session([['assistant', parts, { error: { name, data: {} } }]])));
    expect(failed('APIError', [text('half')])).toEqual([]);
    expect(failed('MessageAbortedError', [text('half')])).toEqual(['assistant:text']);
    expect(failed('MessageAbortedError', [{ type: 'reasoning', text: 'hm' }])).toEqual([]);
  });

  it('ends where a person went back to', () => {
    const rows = [
      ['user', [text('one')]],
      ['assistant', [text('kept'), text('gone')]],
      ['user', [text('two')]],
    ] as const;
    const at = 'msg_000000000002abcdefghijklmn';
    const lives = (revert: Part) => shape(index(session(rows, { revert })));
    expect(lives({ messageID: at })).toEqual(['user:text', '(assistant:text,text)', '(user:text)']);
    expect(lives({ messageID: at, partID: 'prt_11' })).toEqual([
      'user:text',
      'assistant:text',
      '(user:text)',
    ]);
  });
});

describe('hostile input', () => {
  const odd: readonly unknown[] = [
    null,
    1,
    'x',
    [],
    {},
    [null],
    { type: 1 },
    { type: 'tool' },
    true,
  ];

  test.each(odd.map((value) => [JSON.stringify(value), value]))(
    '%s anywhere is read',
    (_, value) => {
      const parts = [
        value,
        { type: 'tool', state: value },
        {
          type: 'tool',
          callID: value,
          state: { status: 'completed', output: value, time: value, attachments: value },
        },
        { type: 'text', text: value, metadata: value },
        { type: 'reasoning', text: value, metadata: { p: value } },
        { type: 'file', url: value, mime: value },
        { type: 'compaction', tail_start_id: value },
      ];
      for (const role of ['user', 'assistant', value]) {
        const info = {
          id: value,
          role,
          time: value,
          error: value,
          tokens: value,
          parentID: value,
          summary: value,
        };
        const document = {
          info: { id: 'ses_1', revert: value },
          messages: [{ info, parts }, { info, parts: value }, value, { info: value, parts }],
        };
        expect(() => checkTranscript(index(document))).not.toThrow();
      }
    },
  );

  it('is not taken for an export', () => {
    for (const document of [
      { info: { id: 'ses_1' }, messages: [{}] },
      { info: 1, messages: [] },
    ]) {
      const head = readHead(memorySource(Buffer.from(JSON.stringify(document)), 'f'));
      expect(() => detectFormat(head, 'f')).toThrow(expect.objectContaining({ exitCode: 4 }));
    }
  });
});
