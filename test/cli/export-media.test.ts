import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { Session, text } from '../masking/build.ts';
import { ctx, errorLine, names, put, useFolder } from '../support/cli.ts';
import { PNG } from '../support/session.ts';

/** `retrieve --export`: every picture and document of a stash as a file. */

useFolder();

const FAST = ['--counter', 'heuristic', '--json'];
const filled = (start: string | Uint8Array, fill: number) =>
  Buffer.concat([Buffer.from(start), Buffer.alloc(900, fill)]);
const JPG = filled(Buffer.from('ffd8ffe000104a46494600', 'hex'), 3);
const GIF = filled('GIF89a', 4);
const PDF = filled('%PDF-1.4\n', 0x20);
const ODD = filled('odd', 9);
const NOTES = 'Plain words of a document, no base64.\n'.repeat(40);

const source = (type: string, bytes: Buffer) => ({
  type: 'base64',
  media_type: type,
  data: bytes.toString('base64'),
});
/** The media type that a transcript claims is not believed, and its titles name no file. */
const image = (bytes: Buffer, type = 'image/png') => ({
  type: 'image',
  source: source(type, bytes),
});
const pdf = (bytes: Buffer) => ({
  type: 'document',
  title: '../../evil.sh',
  source: source('application/pdf', bytes),
});
const plain = {
  type: 'document',
  title: '/etc/passwd',
  source: { type: 'text', media_type: 'text/plain', data: NOTES },
};

const session = (...shown: readonly unknown[]) => {
  const made = new Session().user('Go.');
  made.messages.push(...shown.flatMap((part) => seen(part)));
  return made.user('And?').says('Nothing.');
};
const seen = (part: unknown) => [
  { role: 'user', content: [text('Look.'), part] },
  { role: 'assistant', content: [text('Seen.')] },
];

/** Compacts, exports into `out`, and gives the refs of the blocks and the files by name. */
async function exported(made: Session, step: readonly string[] = ['--media', 'keep=0']) {
  put('s.json', made.bytes);
  const done = await ctx(['compact', 's.json', ...step, ...FAST]);
  const { blocks } = JSON.parse(done.out) as Report;
  const refs = [...new Set(blocks.flatMap(({ ref }) => ref ?? []))];
  const ran = await ctx(['retrieve', '--export', 'out']);
  expect([ran.code, ran.out]).toEqual([0, '']);
  return { refs, err: ran.err, files: filesIn() };
}

function filesIn(): Record<string, Buffer> {
  const found = names().filter((name) => name.startsWith('out/'));
  return Object.fromEntries(found.map((name) => [name.slice(4), readFileSync(name)]));
}

describe('--export', () => {
  it.each<[string, unknown, string, Buffer]>([
    ['a PNG', image(PNG), 'png', PNG],
    ['a JPEG that says it is a PNG', image(JPG), 'jpg', JPG],
    ['a GIF', image(GIF, 'image/gif'), 'gif', GIF],
    ['a PDF', pdf(PDF), 'pdf', PDF],
    ['a document of plain text', plain, 'txt', Buffer.from(NOTES)],
    ['bytes that nobody knows', pdf(ODD), 'bin', ODD],
  ])('%s', async (_name, part, ext, bytes) => {
    const { refs, files, err } = await exported(session(part));
    expect(Object.keys(files)).toEqual([`${refs[0]}.${ext}`]);
    expect(files[`${refs[0]}.${ext}`]?.equals(bytes)).toBe(true);
    expect(err).toBe('written 1 file to out\n');
    expect(statSync(`out/${refs[0]}.${ext}`).mode & 0o077).toBe(0);
  });

  it('several pictures of one result are numbered, and equal ones of two blocks share a file', async () => {
    const made = new Session()
      .user('Go.')
      .calls({ name: 'Shot', result: [text('two'), image(PNG), image(JPG, 'image/jpeg')] })
      .calls({ name: 'Shot', result: [image(GIF)] })
      .calls({ name: 'Shot', result: [image(GIF)] })
      .says('Seen.')
      .user('And?')
      .says('Nothing.');
    const { refs, files } = await exported(made);
    const [two, one] = refs;
    const expected = { [`${two}-2.jpg`]: JPG, [`${two}.png`]: PNG, [`${one}.gif`]: GIF };
    expect(refs).toHaveLength(2);
    expect(Object.keys(files).toSorted()).toEqual(Object.keys(expected).toSorted());
    for (const [name, bytes] of Object.entries(expected))
      expect([name, files[name]?.equals(bytes)]).toEqual([name, true]);
  });

  it('media of removed messages too', async () => {
    const made = session(image(PNG), pdf(PDF), plain);
    const { refs, files } = await exported(made, ['--drop', '*:preserveRecent=1']);
    expect(Object.keys(files)).toEqual([`${refs[0]}-2.pdf`, `${refs[0]}-3.txt`, `${refs[0]}.png`]);
    expect(Object.values(files)).toEqual([PDF, Buffer.from(NOTES), PNG]);
  });

  it('texts are no media', async () => {
    const made = new Session().user('Go.').read('a', 'words '.repeat(400)).says('So.').user('And?');
    const { refs, files, err } = await exported(made, ['--drop', 'toolResults']);
    expect([refs.length, files, err]).toEqual([1, {}, 'written 0 files to out\n']);
  });

  it('no file is replaced, and a second run writes what is missing', async () => {
    const { refs } = await exported(session(image(PNG), pdf(PDF)));
    const [png, document] = [`out/${refs[0]}.png`, `out/${refs[1]}.pdf`];
    put(png, 'mine');
    expect((await ctx(['retrieve', '--export', 'out'])).err).toBe(
      'written 0 files to out, 2 were there already\n',
    );
    expect(readFileSync(png, 'utf8')).toBe('mine');
    expect(readFileSync(document).equals(PDF)).toBe(true);
    const other = await ctx(['retrieve', '--export', 'deep/er', '--stash', 's.compact.json.stash']);
    expect([other.code, other.err]).toEqual([0, 'written 2 files to deep/er\n']);
    expect(readFileSync(png.replace('out', 'deep/er')).equals(PNG)).toBe(true);
  });

  it('a stash that is not there is exit 5, a folder that is a file exit 6', async () => {
    await exported(session(image(PNG)));
    const none = await ctx(['retrieve', '--export', 'out', '--stash', 'none.stash']);
    expect([none.code, errorLine(none)]).toEqual([5, expect.stringContaining('none.stash')]);
    mkdirSync('full');
    put('full/file', 'mine');
    const file = await ctx(['retrieve', '--export', 'full/file']);
    expect([file.code, errorLine(file)]).toEqual([6, expect.stringContaining('full/file')]);
    expect(readFileSync('full/file', 'utf8')).toBe('mine');
  });
});

it('retrieve gives a document of plain text as its text', async () => {
  const { refs } = await exported(session(plain));
  expect((await ctx(['retrieve', refs[0] as string])).out).toBe(NOTES);
});
