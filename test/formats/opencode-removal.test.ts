/** OpenCode: messages and media that go. */

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compactFile, restore, restoreFile } from '../../src/index.ts';
import { parseSpec } from '../../src/specs/parse.ts';
import { NOW, useFolder } from '../support/cli.ts';
import { done, index, type Part, session, text, tool } from '../support/opencode.ts';
import { run } from '../support/run.ts';
import { longText, PNG } from '../support/session.ts';

useFolder();

describe('removal', () => {
  const rows = () =>
    [
      ['user', [text('start')]],
      ['assistant', [text('a'), tool('a', done(longText('a')))]],
      ['user', [text(longText('second question', 40))]],
      ['assistant', [text('b'), tool('b', done(longText('b')))]],
      ['assistant', [text(longText('c', 60))]],
      ['user', [text('third')]],
      ['assistant', [text('end')]],
    ] as const;

  interface Stored {
    readonly messages: readonly { info: Record<string, unknown>; parts: readonly Part[] }[];
  }

  it('puts a user message in the place and under the id of the last user message that goes', async () => {
    const input = Buffer.from(JSON.stringify(session(rows())));
    const made = await run(input, [['drop', '*:preserveRecent=3']]);
    const { messages } = JSON.parse(made.bytes.toString()) as Stored;
    expect(messages.map(({ info }) => info['role'])).toEqual([
      'user',
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    const [, marker, reply] = messages;
    expect(marker?.info).toMatchObject({
      id: 'msg_000000000003abcdefghijklmn',
      sessionID: 'ses_1',
      agent: 'build',
      model: { providerID: 'p', modelID: 'm' },
      time: { created: 1002 },
    });
    expect(marker?.parts[0]).toMatchObject({ type: 'text', messageID: marker?.info['id'] });
    // The reply that stays answers the marker now.
    expect(reply?.info['parentID']).toBe(marker?.info['id']);
    expect(made.stash && restore(made.bytes, made.stash).equals(input)).toBe(true);
  });

  it('relinks a reply whose question goes and whose id the marker does not have', async () => {
    const document = session(rows()) as unknown as Stored;
    const last = document.messages[4]?.info as Record<string, unknown>;
    last['parentID'] = 'msg_000000000002abcdefghijklmn';
    const input = Buffer.from(JSON.stringify(document));
    const made = await run(input, [['drop', '*:preserveRecent=3']]);
    const output = JSON.parse(made.bytes.toString()) as Stored;
    expect(output.messages[2]?.info['parentID']).toBe('msg_000000000003abcdefghijklmn');
    expect(made.stash && restore(made.bytes, made.stash).equals(input)).toBe(true);
  });

  it('gives an added marker an id that sorts directly before the next message', async () => {
    const input = Buffer.from(JSON.stringify(session(rows())));
    const spec = 'preserveRecentTurns=0,preserveRecentMessages=2,minObservationTokens=0';
    const made = await run(input, [['structured-summary', spec]]);
    const { messages } = JSON.parse(made.bytes.toString()) as Stored;
    const ids = messages.map(({ info }) => String(info['id']));
    expect(ids.length).toBe(rows().length + 1);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('comes back when the client has written the file anew', async () => {
    const document = session(rows());
    writeFileSync('s.json', JSON.stringify(document, null, 2));
    const specs = [parseSpec('drop', '*:preserveRecent=3')];
    await compactFile('s.json', { specs, output: 'o.json', now: NOW });
    const { messages } = JSON.parse(readFileSync('o.json', 'utf8')) as Stored;
    writeFileSync('o.json', JSON.stringify({ info: { id: 'ses_1', title: 'new' }, messages }));
    expect(restoreFile('o.json', { output: 'b.json' })).toMatchObject({ how: 'blocks', lost: [] });
    const back = JSON.parse(readFileSync('b.json', 'utf8')) as Stored;
    expect(back.messages).toEqual(document['messages']);
    expect(messages.length).toBeLessThan(back.messages.length);
  });

  it('says that a reply answers nothing that is there', () => {
    const document = session(rows()) as unknown as Stored;
    const reply = document.messages[1]?.info as Record<string, unknown>;
    reply['parentID'] = 'msg_nowhere';
    expect(index(document).findings).toMatchObject([{ code: 'dangling-parent', record: 1 }]);
  });
});

describe('media', () => {
  it('become a text part with the ids of the part', async () => {
    const url = `data:image/png;base64,${PNG.toString('base64')}`;
    const file = { type: 'file', mime: 'image/png', filename: 'a.png', url };
    const input = Buffer.from(
      JSON.stringify(
        session([
          ['user', [text('start')]],
          ['assistant', [text('yes')]],
          ['user', [text('look'), file]],
          ['assistant', [text('seen')]],
          ['user', [text('look again'), file]],
        ]),
      ),
    );
    const made = await run(input, [['drop', 'media:preserveRecent=1']]);
    const output = JSON.parse(made.bytes.toString()) as { messages: { parts: Part[] }[] };
    expect(output.messages[2]?.parts[1]).toEqual({
      type: 'text',
      text: expect.stringMatching(/^\[Dropped: image/),
      id: 'prt_21',
      sessionID: 'ses_1',
      messageID: 'msg_000000000003abcdefghijklmn',
    });
    expect(made.stash && restore(made.bytes, made.stash).equals(input)).toBe(true);
  });
});
