import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Session, text } from '../masking/build.ts';
import { ctx, errorLine, put, refsOf, useFolder } from '../support/cli.ts';
import { PNG } from '../support/session.ts';

useFolder();

const JPEG = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b0801000100011100', 'hex'),
  Buffer.alloc(4000, 3),
]);
const PDF = Buffer.from(`%PDF-1.4\n${'% a page of a paper\n'.repeat(300)}`);

const media = (type: string, mime: string, bytes: Buffer) => ({
  type,
  title: '../../../evil/name.png',
  source: { type: 'base64', media_type: mime, data: bytes.toString('base64') },
});

/** Compacts a session with a picture, another, and a document; all three leave. Their refs, in order. */
async function compacted(): Promise<string[]> {
  const session = new Session()
    .user('Look.')
    .says('At what?')
    .shows(text('This.'), media('image', 'image/png', PNG))
    .says('A square.')
    .shows(text('And this.'), media('image', 'image/jpeg', JPEG))
    .says('A line.')
    .shows(text('Read.'), media('document', 'application/pdf', PDF))
    .says('Done.')
    .user('Thanks.');
  put('session.json', session.bytes);
  const ran = await ctx(['compact', 'session.json', '--media', 'keep=0', '--json']);
  return refsOf(ran);
}

describe('retrieve --export', () => {
  it('writes every picture and document under its ref, with its very bytes', async () => {
    const [png, jpeg, pdf] = await compacted();
    const ran = await ctx(['retrieve', '--export', 'media']);
    expect([ran.code, ran.out]).toEqual([0, '']);
    expect(ran.err).toBe('written 3 files to media\n');
    expect(readdirSync('media').toSorted()).toEqual(
      [`${png}.png`, `${jpeg}.jpg`, `${pdf}.pdf`].toSorted(),
    );
    expect(readFileSync(`media/${png}.png`).equals(PNG)).toBe(true);
    expect(readFileSync(`media/${jpeg}.jpg`).equals(JPEG)).toBe(true);
    expect(readFileSync(`media/${pdf}.pdf`).equals(PDF)).toBe(true);
  });

  it('replaces no file', async () => {
    const [png] = await compacted();
    await ctx(['retrieve', '--export', 'media']);
    writeFileSync(`media/${png}.png`, 'mine');
    const again = await ctx(['retrieve', '--export', 'media']);
    expect(again.err).toBe('written 0 files to media, 3 were there already\n');
    expect(readFileSync(`media/${png}.png`, 'utf8')).toBe('mine');
  });

  it('writes nothing through a dangling link', async () => {
    const [png] = await compacted();
    await ctx(['retrieve', '--export', 'media']);
    rmSync(`media/${png}.png`);
    symlinkSync('../target.png', `media/${png}.png`);
    const ran = await ctx(['retrieve', '--export', 'media']);
    expect(readdirSync('.')).not.toContain('target.png');
    expect([ran.code, ran.err]).toEqual([0, 'written 0 files to media, 3 were there already\n']);
  });

  it('takes no ref', async () => {
    const [png = ''] = await compacted();
    const ran = await ctx(['retrieve', png, '--export', 'media']);
    expect(ran.code).toBe(2);
    expect(errorLine(ran)).toMatch(/^ctx: --export takes/);
  });

  it('says so in one line when the folder is a file', async () => {
    await compacted();
    const ran = await ctx(['retrieve', '--export', put('taken', 'a file')]);
    expect(ran.code).toBe(6);
    expect(errorLine(ran)).toMatch(/^ctx: can't write taken/);
  });
});
