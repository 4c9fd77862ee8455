import { describe, expect, it } from 'vitest';
import {
  answered,
  called,
  conversation,
  gemini,
  HEAD,
  indexed,
  jsonl,
  LONG,
  live,
  response,
  results,
  SESSION,
  sent,
  user,
  WRONG,
} from './support-gemini.ts';

describe('a Gemini CLI session', () => {
  it('has the text of a result in both places that are sent, counted twice', () => {
    const [block] = results(conversation(jsonl(SESSION)));
    expect(block).toMatchObject({
      record: 5,
      pointer: '/toolCalls/0/result/0/functionResponse/response/output',
      also: [{ record: 6, pointer: '/content/0/functionResponse/response/output' }],
      tokens: 2 * Math.ceil(LONG.length / 4),
      callId: 'x',
      tool: 'read_file',
      isError: false,
    });
  });

  it('keeps a result apart whose second place says something else', () => {
    const records = SESSION.with(6, answered('r1', response('x', 'other')));
    expect(results(conversation(jsonl(records))).map(({ also }) => also)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('counts an earlier record of an id as dead, and takes it along when the message leaves', () => {
    const found = conversation(jsonl(SESSION));
    const dead = found.messages.filter((message) => !message.live);
    expect(dead.map(({ records }) => records)).toEqual([[3]]);
    const reply = live(found).find(({ role }) => role === 'assistant');
    expect(reply?.records).toEqual([3, 5]);
  });

  it('knows real user turns, the context of the client, and what it leaves out', () => {
    const records = [...SESSION, user('k', '/help'), user('q', '?'), user('e', '  ')];
    const found = conversation(jsonl(records));
    const facts = found.messages
      .filter(
        ({ role, blocks }) => role === 'user' && found.blocks[blocks[0] as number]?.kind === 'text',
      )
      .map(({ real, injected, live: sends }) => ({ real, injected, live: sends }));
    expect(facts).toEqual([
      { real: false, injected: true, live: true },
      { real: true, injected: false, live: true },
      { real: true, injected: false, live: true },
      { real: false, injected: false, live: false },
      { real: false, injected: false, live: false },
      { real: false, injected: false, live: false },
    ]);
  });

  it('does not send info, warnings and errors, nor a reply without content', () => {
    const extra = ['info', 'warning', 'error'].map((type) => ({ ...user(type, 'note'), type }));
    const found = conversation(jsonl([...SESSION, ...extra, gemini('g4', '')]));
    expect(found.messages).toHaveLength(conversation(jsonl(SESSION)).messages.length);
  });

  it('forgets what a rewind names and everything after it', () => {
    const found = conversation(jsonl([...SESSION, { $rewindTo: 'g2' }, user('u3', 'again')]));
    expect(sent(found).slice(-2)).toEqual([
      'toolResult 5 /toolCalls/0/result/0/functionResponse/response/output',
      'text 11 /content/0/text',
    ]);
  });

  it('forgets everything at a rewind to an id that is not there', () => {
    const found = conversation(jsonl([...SESSION, { $rewindTo: 'none' }, user('u3', 'again')]));
    expect(sent(found)).toEqual(['text 11 /content/0/text']);
  });

  it('takes an id that comes again after a rewind for a new message', () => {
    const found = conversation(jsonl([...SESSION, { $rewindTo: 'u2' }, user('u2', 'other')]));
    expect(live(found).at(-1)?.records).toEqual([11]);
  });

  it('reads a checkpoint in the place of everything before it, and removes nothing of it', () => {
    const content = [
      { text: 'a thought', thought: true },
      { text: 'looking' },
      { functionCall: { id: 'x', name: 'read_file', args: {} } },
    ];
    const messages = [
      user('u1', 'first'),
      { id: 'g1', type: 'gemini', content },
      answered('g1_response', response('x', LONG)),
      answered('r1', response('x', LONG)),
    ];
    const found = conversation(jsonl([...SESSION, { $set: { messages } }, user('u4', 'on')]));
    expect(sent(found)).toEqual([
      'text 10 /$set/messages/0/content/0/text',
      'thinking 10 -',
      'text 10 /$set/messages/1/content/1/text',
      'toolCall 10 /$set/messages/1/content/2/functionCall/args',
      'toolResult 10 /$set/messages/2/content/0/functionResponse/response/output',
      'text 11 /content/0/text',
    ]);
    expect(results(found)[0]?.also).toEqual([
      { record: 10, pointer: '/$set/messages/3/content/0/functionResponse/response/output' },
    ]);
    expect(live(found).map(({ fixed }) => fixed)).toEqual([
      'replacement-history',
      'replacement-history',
      'replacement-history',
      undefined,
    ]);
    expect(found.model).toBe('gemini-2.5-pro');
  });

  it.each([
    ['the status of the call', called('x', 'o', { status: 'error' }), true],
    ['a cancelled call', called('x', 'o', { status: 'cancelled' }), true],
    [
      'an exit code',
      called(
        'x',
        '<untrusted_context>\nOutput: a\nExit Code: 3\nProcess Group PGID: 1\n</untrusted_context>',
      ),
      true,
    ],
    ['an exit code of 0', called('x', 'Output: a\nExit Code: 0\nSignal: (none)'), false],
    [
      'an exit code that the output only mentions',
      called('x', 'Exit Code: 3\nand more text'),
      false,
    ],
    ['success', called('x', 'fine'), false],
    [
      'the error of the response',
      called('x', '', { result: [{ functionResponse: { id: 'x', response: { error: 'no' } } }] }),
      true,
    ],
  ])('takes a failure from %s', (_, call, failed) => {
    const found = conversation(jsonl([HEAD, user('u', 'a'), gemini('g', 'b', [call])]));
    expect(results(found).map(({ isError }) => isError)).toEqual([failed]);
  });

  it('edits the largest string of a response that is an object, and counts the rest beside it', () => {
    const call = called('x', '', {
      result: [
        { functionResponse: { id: 'x', name: 't', response: { code: 0, 'a/b': [{ log: LONG }] } } },
      ],
    });
    const found = conversation(jsonl([HEAD, user('u', 'a'), gemini('g', 'b', [call])]));
    expect(sent(found).slice(-2)).toEqual([
      'toolResult 2 /toolCalls/0/result/0/functionResponse/response/a~1b/0/log',
      'opaque 2 -',
    ]);
  });

  it('has a picture in a result as a block of its own', () => {
    const image = { inlineData: { data: 'aGk=', mimeType: 'image/png' } };
    const call = called('x', 'o', { result: [response('x', 'o'), image] });
    const found = conversation(jsonl([HEAD, user('u', 'a'), gemini('g', 'b', [call])]));
    expect(sent(found).at(-1)).toBe('image 2 /toolCalls/0/result/1');
  });

  it('never edits a text with a signature', () => {
    const content = [{ text: LONG, thoughtSignature: 'sig' }];
    const found = conversation(jsonl([HEAD, user('u', 'a'), gemini('g', content)]));
    expect(found.blocks.at(-1)).toMatchObject({ kind: 'text', signed: true });
    expect(found.blocks.at(-1)?.shape).toBeUndefined();
  });

  it('does not throw on values of wrong types', () => {
    for (const wrong of WRONG) {
      const records = [
        HEAD,
        wrong,
        { $set: wrong },
        { $set: { messages: wrong } },
        { $rewindTo: wrong },
        { ...HEAD, messages: wrong },
        { id: 'a', type: wrong, content: 'x' },
        user('u', 'a'),
        { id: 'b', type: 'user', content: wrong },
        {
          id: 'c',
          type: 'gemini',
          content: wrong,
          thoughts: wrong,
          toolCalls: wrong,
          tokens: wrong,
          model: wrong,
        },
        gemini('d', 'x', [
          wrong,
          called('x', wrong),
          { ...called('y', 'o'), result: wrong, args: wrong },
        ]),
        answered(
          'e',
          { functionResponse: wrong },
          { functionCall: wrong },
          { inlineData: wrong },
          wrong,
        ),
        answered('f', {
          functionResponse: { id: wrong, name: wrong, response: wrong, parts: wrong },
        }),
      ];
      expect(() => indexed(jsonl(records), 'gemini-cli')).not.toThrow();
      const document = Buffer.from(JSON.stringify({ ...HEAD, messages: records }));
      expect(() => indexed(document, 'gemini-cli-json')).not.toThrow();
    }
  });

  it('looks into a response that is nested very deeply only so far', () => {
    const deep = JSON.parse(`${'['.repeat(3000)}"x"${']'.repeat(3000)}`) as unknown;
    const found = conversation(
      jsonl([HEAD, user('u', 'a'), gemini('g', 'b', [called('x', deep)])]),
    );
    expect(results(found)).toMatchObject([{ callId: 'x' }]);
    expect(results(found)[0]?.shape).toBeUndefined();
  });
});
