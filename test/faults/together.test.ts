import { describe, expect, it } from 'vitest';
import { joinGroups } from '../../src/formats/groups.ts';
import { compact, type Step } from '../../src/memory.ts';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, put, useFolder } from '../support/cli.ts';
import { holds } from '../support/holds.ts';
import { claude, claudeLines, replyLine, userLine } from '../support/session.ts';

useFolder();

describe('a record that is in the file twice', () => {
  const lines = claudeLines();

  it.each([3, 5, 6, 8, 10])('leaves with its message (line %i)', async (twice) => {
    const file = put(
      's.jsonl',
      claude([...lines.slice(0, 11), lines[twice] ?? '', ...lines.slice(11)]),
    );
    const ran = await ctx(['compact', file, '--drop', '*:preserveRecent=1']);
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect((await ctx(['verify', 's.compact.jsonl'])).code).toBe(0);
  });

  it('takes its thought out in both places', async () => {
    const thought = { type: 'thinking', thinking: tokensOf(40), signature: 'c2ln' };
    const [first, second, text] = [
      userLine(1, null, 'Go.'),
      replyLine(2, 1, 'msg_1', thought),
      replyLine(3, 2, 'msg_1', { type: 'text', text: 'Done.' }),
    ] as const;
    const bytes = claude([first, second, second, text, userLine(4, 3, 'And?')]);
    const done = await holds(bytes, [['thinking', '']]);
    expect(done.toString('utf8')).not.toContain('thinking');
  });
});

describe('a text that was shortened beside a thought that goes', () => {
  const reply = (line: number, parent: number) => {
    const one = replyLine(line, parent, `msg_${line}`, {
      type: 'text',
      text: tokensOf(400, 'words'),
    });
    const thought = JSON.stringify({ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' });
    return one.replace('"content":[', `"content":[${thought},`);
  };
  const bytes = claude([
    userLine(1, null, 'Go.'),
    reply(2, 1),
    userLine(3, 2, 'On.'),
    replyLine(4, 3, 'msg_4', { type: 'text', text: 'Done.' }),
  ]);
  const shorten: Step = ['truncate', 'assistantText:blockThreshold=100,previewTokens=20'];
  const place = (out: Buffer) => {
    const { message, ctx: key } = JSON.parse(out.toString('utf8').split('\n')[1] ?? '') as {
      message: { content: readonly { type: string; text?: string }[] };
      ctx: { offloaded: readonly { at: string }[] };
    };
    expect(message.content.map(({ type }) => type)).toEqual(['text']);
    expect(message.content[0]?.text).toMatch(/^\[Truncated: /);
    return key.offloaded.map(({ at }) => at);
  };

  it('keeps its identity at its new place, in one run', async () => {
    expect(place(await holds(bytes, [shorten, ['thinking', '']]))).toEqual([
      '/message/content/0/text',
    ]);
  });

  it('keeps it in a later run, too', async () => {
    const first = await compact(bytes, { steps: [shorten] });
    const second = await compact(first.bytes, {
      steps: [['thinking', '']],
      stash: first.stash ?? Buffer.of(),
    });
    expect(place(second.bytes)).toEqual(['/message/content/0/text']);
  });

  it('leaves a foreign key alone', async () => {
    const foreign = bytes
      .toString('utf8')
      .replace('"message":{"id":"msg_2"', '"ctx":{"v":1,"offloaded":[]},"message":{"id":"msg_2"');
    const done = await holds(Buffer.from(foreign), [['thinking', '']]);
    expect(done.toString('utf8')).toContain('"ctx":{"v":1,"offloaded":[]},"message"');
  });
});

describe('steps that meet', () => {
  const long = (label: string) => tokensOf(1500, label);

  it('moves a capsule behind the messages that a later step removes', async () => {
    const session = new Session().user('Go.');
    for (const label of ['a', 'b', 'c', 'd', 'e'])
      session.read(label, long(label)).says(long(`said-${label}`));
    session.says('Done.');
    const steps: Step[] = [
      [
        'structured-summary',
        'preserveRecentTurns=0,preserveRecentMessages=4,minObservationTokens=0',
      ],
      ['drop', '*:preserveRecent=1'],
    ];
    const done = await holds(session.bytes, steps, { counter: 'heuristic' });
    const { messages } = JSON.parse(done.toString('utf8')) as { messages: { content: unknown }[] };
    expect(messages.map(({ content }) => JSON.stringify(content).slice(0, 14))).toEqual([
      '"Go."',
      '"[Dropped: 15 ',
      '"[Capsule: 8 m',
      '"[Capsule: 4 m',
      '[{"type":"text',
    ]);
  });

  it('keeps the call of a result that reads like our marker of a gap', async () => {
    const session = new Session()
      .user('Go.')
      .read('a', '[Dropped: 3 messages, ~4,210 tokens] [ref: bcc19e38d63e]')
      .read('b', long('b'))
      .says('Done.');
    const done = await holds(session.bytes, [['drop', '*:preserveRecent=1']]);
    const { messages } = JSON.parse(done.toString('utf8')) as { messages: unknown[] };
    expect(messages.slice(0, 3)).toEqual(session.messages.slice(0, 3));
  });

  it('lets go of what duplicates pointed to once they are gone', async () => {
    const session = new Session().user('Go.').read('a', long('same')).read('b', long('same'));
    session.says('So.').user('And?').says('On.').user('Well?').says('Yes.');
    const done = await holds(
      session.bytes,
      [
        ['native-history', 'preserveRecentTurns=1,preserveRecentMessages=1,minTokensSaved=1'],
        ['dedupe', 'keep=oldest'],
      ],
      { targetTokens: { count: 10 } },
    );
    expect(done.length).toBeLessThan(session.bytes.length);
  });
});

describe('an id that is used again', () => {
  it('ties a result to the call of its own branch', () => {
    const block = (kind: 'toolCall' | 'toolResult', tool?: string) => ({
      kind,
      record: 0,
      tokens: 1,
      callId: 'same',
      ...(tool === undefined ? {} : { tool }),
    });
    const result = block('toolResult');
    const { groups, tools } = joinGroups([
      { role: 'assistant', blocks: [block('toolCall', 'Read')], records: [0] },
      { role: 'assistant', blocks: [block('toolCall', 'Bash')], records: [1], live: false },
      { role: 'user', blocks: [result], records: [2] },
    ]);
    expect(groups[2]).toBe(groups[0]);
    expect(groups[2]).not.toBe(groups[1]);
    expect(tools.get(result)).toBe('Read');
  });

  it('was open before: nobody blames the run that removes the later pair', async () => {
    const session = new Session()
      .user('Go.')
      .calls({ id: 'same', name: 'Read', input: {} })
      .user('Wait.')
      .calls({ id: 'same', name: 'Read', input: {}, result: tokensOf(900) })
      .says('So.')
      .user('Well?')
      .says('Done.');
    const ran = await ctx([
      'compact',
      put('s.json', session.bytes),
      '--drop',
      '*:preserveRecent=2',
      '--from',
      '3',
    ]);
    expect([ran.code, ran.err]).toEqual([0, '']);
  });
});
