import { describe, expect, it } from 'vitest';
import { folder, groups, index, only, outline, results } from '../support/index.ts';
import { EVENTS, SDK } from '../support/openhands.ts';

describe('OpenHands 0.x', () => {
  it('joins the calls of one answer, and what came back for them', () => {
    const conversation = only(index(EVENTS));
    expect(outline(conversation)).toEqual([
      'real user: text+ image',
      'injected user: opaque',
      'assistant: text toolCall toolCall',
      'user: toolResult+ toolResult+',
      'assistant: toolCall',
      'user: toolResult+',
      'assistant: text+',
    ]);
    expect(groups(conversation)).toEqual([0, 1, 2, 2, 4, 4, 6]);
    expect(conversation.messages[2]?.records).toEqual([3, 5]);
    expect(results(conversation).map(({ isError }) => isError)).toEqual([false, true, undefined]);
    expect(conversation).toMatchObject({ overhead: 7, model: 'gpt-4.1' });
  });

  it.each([
    ['a range', { forgotten_events_start_id: 3, forgotten_events_end_id: 6 }],
    ['a list', { forgotten_event_ids: [3, 4, 5, 6] }],
  ])('knows what a condensation forgets: %s', (_, forgotten) => {
    const condense = (id: number, summary: string) => ({
      id,
      source: 'agent',
      action: 'condensation',
      args: { ...forgotten, summary },
    });
    const events = [...EVENTS, condense(11, 'first'), condense(12, 'second')];
    const { messages } = only(index(events));
    expect(messages.map(({ live }) => live)).toEqual([
      true,
      true,
      false,
      false,
      true,
      true,
      true,
      false,
      true,
    ]);
    expect(messages.at(-1)?.fixed).toBe('compaction-summary');
  });

  it('knows the text in a page of the cache, which the client reads instead', () => {
    const stale = { ...EVENTS[9], content: 'older' };
    const transcript = folder({
      'event_cache/0-25.json': EVENTS.with(9, stale),
      'events/1.json': EVENTS[1],
      'events/3.json': EVENTS[3],
      'events/4.json': EVENTS[4],
      'events/8.json': EVENTS[8],
      'events/9.json': EVENTS[9],
    });
    expect(transcript.format.name).toBe('openhands-log');
    const conversation = only(transcript);
    const places = conversation.blocks.filter(({ shape }) => shape !== undefined);
    expect(places.map(({ also }) => also)).toEqual([
      [{ record: 0, pointer: '/1/args/content', again: true }],
      [{ record: 0, pointer: '/4/content', again: true }],
      undefined,
    ]);
  });
});

describe('OpenHands SDK', () => {
  it('reads what each event sends', () => {
    const conversation = only(index(SDK));
    expect(outline(conversation)).toEqual([
      'real user: text+ image+ opaque',
      'assistant: thinking text+ toolCall toolCall',
      'user: toolResult+ toolResult+',
      'assistant: thinking text+ toolCall',
      'user: toolResult+ opaque',
    ]);
    expect(results(conversation).map(({ pointer, isError }) => [pointer, isError])).toEqual([
      ['/observation/content', true],
      ['/error', true],
      ['/observation/output', false],
    ]);
    expect(conversation.overhead).toBe(7);
  });

  it('takes a condensation as what the client will send', () => {
    const condensation = {
      id: 'e9',
      kind: 'Condensation',
      source: 'environment',
      forgotten_event_ids: ['e2', 'e3', 'e4', 'e5'],
      summary: 'short',
    };
    const { messages } = only(index([...SDK, condensation]));
    expect(messages.map(({ live }) => live)).toEqual([true, false, false, true, true, true]);
  });

  it('reads a folder, with the model of its state', () => {
    const events = Object.fromEntries(
      SDK.map((event, at) => [`events/event-0000${at}-${event.id}.json`, event]),
    );
    const state = { agent: { llm: { model: 'gpt-4.1' } } };
    const transcript = folder({ 'base_state.json': state, ...events });
    expect(transcript.format.name).toBe('openhands-sdk-log');
    expect(only(transcript)).toMatchObject({ model: 'gpt-4.1' });
    expect(only(transcript).messages).toHaveLength(5);
  });
});
