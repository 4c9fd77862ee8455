import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Session, text, tokensOf } from '../masking/build.ts';
import { ctx, put, shaOf, useFolder } from '../support/cli.ts';
import { callLine, claude, PNG, replyLine, resultLine, userLine } from '../support/session.ts';

useFolder();

const literal = JSON.stringify;

describe('pictures', () => {
  it('leave in both places of a line, into one entry (report 80)', async () => {
    const data = Buffer.concat([PNG, Buffer.alloc(3000, 9)]).toString('base64');
    const source = { type: 'base64', media_type: 'image/png', data };
    const file = put(
      's.jsonl',
      claude([
        userLine(1, null, 'Look.'),
        callLine(2, 1, 'msg_1', 't1', 'Read', { file_path: '/shop/a.png' }),
        resultLine(3, 2, 't1', literal([{ type: 'image', source }]), {
          raw: `"toolUseResult":${literal({ type: 'image', file: { base64: data, type: 'image/png' } })}`,
        }),
        replyLine(4, 3, 'msg_2', { type: 'text', text: 'A square.' }),
      ]),
    );
    const ran = await ctx(['compact', file, '--media', 'keep=0', '--json']);
    expect(readFileSync('s.compact.jsonl', 'utf8')).not.toContain(data.slice(0, 200));
    expect(JSON.parse(ran.out)).toMatchObject({ stash: { entries: 1 } });
    await ctx(['retrieve', '--export', 'out']);
    const [name = '', ...more] = readdirSync('out');
    expect(more).toEqual([]);
    expect(readFileSync(`out/${name}`).toString('base64')).toBe(data);
    await ctx(['restore', 's.compact.jsonl', '-o', 'back.jsonl']);
    expect(shaOf('back.jsonl')).toBe(shaOf(file));
  });

  it('leave before texts when a budget is to be met (report 81)', async () => {
    const session = new Session().user('Go.');
    for (let at = 0; at < 20; at += 1) {
      const image = {
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: picture(at) },
      };
      session
        .shows(text(`Picture ${at}.`), image)
        .says('Seen.')
        .read(`f${at}`, tokensOf(900, `word${at}`));
    }
    const file = put('s.json', session.says('Done.').bytes);
    const steps = ['--drop', 'toolResults', '--media', 'keep=1', '--target-tokens', '60%'];
    const { blocks } = JSON.parse((await ctx(['compact', file, ...steps, '--json'])).out) as {
      blocks: readonly { kind: string; action: string }[];
    };
    const taken = blocks.filter(({ action }) => action === 'dropped');
    expect(new Set(taken.map(({ kind }) => kind))).toEqual(new Set(['image']));
    expect(taken.length).toBeGreaterThan(10);
  });

  it('are offloaded as files that can be opened, not thrown away (report 82)', async () => {
    const pictures = [1, 2, 3].map((at) => picture(at));
    const session = new Session().user('Go.').says('Yes?');
    for (const data of pictures)
      session
        .shows({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } })
        .says('Seen.');
    put('s.json', session.user('Thanks.').bytes);
    await ctx(['compact', 's.json', '--media', 'keep=0']);
    await ctx(['retrieve', '--export', 'out']);
    const written = readdirSync('out').map((name) =>
      readFileSync(`out/${name}`).toString('base64'),
    );
    expect(written.toSorted()).toEqual(pictures.toSorted());
    expect(readdirSync('out').every((name) => name.endsWith('.png'))).toBe(true);
  });
});

/** Base64 of a picture of 1000 x 1000 pixels, another one for each number. */
function picture(at: number): string {
  return Buffer.concat([PNG, Buffer.alloc(60, at + 1)]).toString('base64');
}
