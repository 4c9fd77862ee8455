import { describe, expect, it } from 'vitest';
import { readHead } from '../../src/detect/head.ts';
import { geminiApi } from '../../src/formats/gemini/api.ts';
import { restore } from '../../src/index.ts';
import { memorySource } from '../../src/load/source.ts';
import { run } from '../support/run.ts';
import { conversation, indexed, type Json, LONG, results, sent, WRONG } from './support-gemini.ts';

const doc = (value: unknown) => Buffer.from(JSON.stringify(value));
const user = (text: string) => ({ role: 'user', parts: [{ text }] });
const model = (...parts: unknown[]) => ({ role: 'model', parts });
const call = (name: string) => ({ functionCall: { name, args: { a: 1 } } });
const answer = (name: string, response: unknown) => ({ functionResponse: { name, response } });
const CONTENTS = [
  user('first'),
  model({ text: 'looking' }, call('read'), call('list')),
  { role: 'user', parts: [answer('list', { error: 'no' }), answer('read', { output: LONG })] },
  model({ text: 'seen' }),
  user('second'),
  model({ text: 'done' }),
];

describe('Gemini API contents', () => {
  it.each([
    ['a bare list', CONTENTS],
    ['a request body', { contents: CONTENTS, model: 'gemini-2.5-pro' }],
    ['a logged request', { request: { contents: CONTENTS } }],
    ['a checkpoint of a client', { history: CONTENTS, authType: 'none' }],
  ])('are recognised in %s', (_, document) => {
    const found = indexed(doc(document));
    expect(found.format.name).toBe('gemini-api');
    expect(found.conversations[0]?.messages).toHaveLength(6);
  });

  it('pairs responses without ids with the open call of their name', () => {
    const found = conversation(doc(CONTENTS));
    const calls = found.blocks.filter(({ kind }) => kind === 'toolCall');
    expect(results(found).map(({ callId, isError }) => [callId, isError])).toEqual([
      [calls[1]?.callId, true],
      [calls[0]?.callId, false],
    ]);
    expect(new Set(found.messages.slice(1, 3).map(({ group }) => group)).size).toBe(1);
  });

  it('reads the names of the Python SDK, with absent members as null', () => {
    const parts = [
      { text: null, function_call: { id: 'c', name: 'read', args: {} }, thought_signature: 'sig' },
    ];
    const response = {
      text: null,
      function_response: { id: 'c', name: 'read', response: { result: LONG } },
    };
    const picture = { inline_data: { mime_type: 'image/png', data: 'aGk=' }, text: null };
    const found = conversation(
      doc([user('a'), { role: 'model', parts }, { role: 'user', parts: [response, picture] }]),
    );
    expect(sent(found).slice(1)).toEqual([
      'toolCall 1 /parts/0/function_call/args',
      'toolResult 2 /parts/0/function_response/response/result',
      'image 2 /parts/1',
    ]);
    expect(found.blocks[1]?.signed).toBe(true);
    expect(results(found)[0]?.isError).toBeUndefined();
  });

  it('never edits thoughts, signed texts, code and pictures inside a response', () => {
    const nested = {
      functionResponse: {
        name: 'x',
        response: { a: 1 },
        parts: [{ inlineData: { data: 'aGk=', mimeType: 'image/png' } }],
      },
    };
    const parts = [
      { text: 't', thought: true },
      { text: 's', thoughtSignature: 'x' },
      { executableCode: { code: LONG } },
    ];
    const found = conversation(
      doc([user('a'), model(...parts), { role: 'user', parts: [nested] }]),
    );
    expect(found.blocks.slice(1).map(({ kind, shape }) => [kind, shape])).toEqual([
      ['thinking', undefined],
      ['text', undefined],
      ['opaque', undefined],
      ['toolResult', undefined],
      ['image', undefined],
    ]);
  });

  it('counts the system instruction and the tools once', () => {
    const systemInstruction = { parts: [{ text: 'x'.repeat(400) }] };
    const tools = [{ functionDeclarations: [{ name: 'read' }] }];
    expect(
      conversation(doc({ contents: CONTENTS, systemInstruction, tools })).overhead,
    ).toBeGreaterThan(100);
    expect(conversation(doc({ contents: CONTENTS })).overhead).toBe(0);
  });

  it('removes messages and goes on alternating roles', async () => {
    const input = doc({ contents: CONTENTS });
    const done = await run(input, [['drop', '*:preserveRecent=2']]);
    const { contents } = JSON.parse(done.bytes.toString('utf8')) as { contents: Json[] };
    expect(contents.map(({ role }) => role)).toEqual(['user', 'model', 'user', 'model']);
    const texts = JSON.stringify(contents).match(/\[Dropped: \d+ messages?/g);
    expect(texts).toEqual(['[Dropped: 2 messages']);
    expect(restore(done.bytes, done.stash as Buffer).equals(input)).toBe(true);
  });

  it.each([
    ['parts with a type', [{ role: 'user', parts: [{ type: 'text', text: 'a' }] }]],
    ['messages with ids', [{ id: '1', role: 'user', parts: [{ text: 'a' }] }]],
    ['another role', [{ role: 'assistant', parts: [{ text: 'a' }] }]],
  ])('are not seen in %s', (_, document) => {
    expect(geminiApi.detect(readHead(memorySource(doc(document), 'f')))).toBe(0);
  });

  it('does not throw on values of wrong types', () => {
    for (const wrong of WRONG) {
      const contents = [
        wrong,
        { role: wrong, parts: wrong },
        model(wrong, { functionCall: wrong }, { text: wrong }, { inlineData: wrong }),
        {
          role: 'user',
          parts: [answer('x', wrong), { functionResponse: wrong }, { fileData: wrong }],
        },
      ];
      const document = {
        contents,
        model: wrong,
        systemInstruction: wrong,
        tools: wrong,
        config: wrong,
      };
      expect(() => indexed(doc(document), 'gemini-api')).not.toThrow();
    }
  });
});
