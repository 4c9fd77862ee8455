import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateMedia, type MediaData } from '../../src/measure/media.ts';

type Vendor = Parameters<typeof estimateMedia>[2];

const base64 = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
    ),
  ).toString('base64');
const word = (value: number) => [value >> 8, value & 255];
const png = (width: number, height: number) =>
  base64(
    '\x89PNG\r\n\x1a\n',
    [0, 0, 0, 13],
    'IHDR',
    [0, 0, ...word(width)],
    [0, 0, ...word(height)],
    [8, 6, 0, 0, 0],
  );
/** Start of a JPEG with a comment of some length before the frame. */
const jpeg = (width: number, height: number, comment: number) =>
  base64([0xff, 0xd8, 0xff, 0xfe, ...word(comment + 2)], ' '.repeat(comment), [
    0xff,
    0xc0,
    0,
    17,
    8,
    ...word(height),
    ...word(width),
    3,
    1,
    0x22,
    0,
    2,
    0x11,
    1,
    3,
    0x11,
    1,
  ]);
const gif = (width: number, height: number) =>
  base64('GIF89a', [width & 255, width >> 8, height & 255, height >> 8]);
const tokens = (width: number, height: number, vendor: Vendor) =>
  estimateMedia('image', { base64: png(width, height) }, vendor).tokens;
const document = (data: MediaData) => estimateMedia('document', data, 'anthropic').tokens;
/** How files of each kind begin that image-size knows. */
const MAGIC = [
  '\x89PNG\r\n\x1a\n',
  '\xff\xd8\xff\xe1',
  '\xff\xd8',
  'GIF89a',
  'RIFF\0\0\0\0WEBPVP8 ',
  'BM',
  'II*\0',
  'MM\0*',
  '\0\0\0\x18ftypheic',
  '\0\0\x01\0',
  'icns',
  '8BPS',
  '<svg width="',
  'P6\n',
  '\xff\x0a',
  '\0\0\0\x0cJXL ',
  '\0\0\0\x0cjP  ',
  '\xabKTX 11\xbb',
  'DDS ',
  '',
];

describe('pictures', () => {
  it('reads width and height from the header', () => {
    const expected = { tokens: 108, known: true, width: 300, height: 270 };
    for (const data of [png(300, 270), jpeg(300, 270, 20), jpeg(300, 270, 60_000), gif(300, 270)])
      expect(estimateMedia('image', { base64: data }, 'anthropic')).toEqual(expected);
  });

  it('follows Anthropic: pixels / 750, scaled to 1,568 px and 1.15 megapixels', () => {
    expect(tokens(200, 200, 'anthropic')).toBe(54);
    expect(tokens(1000, 1000, 'anthropic')).toBe(1334);
    expect(tokens(4000, 4000, 'anthropic')).toBe(1534);
    expect(tokens(3136, 750, 'anthropic')).toBe(784);
    expect(tokens(1, 1, 'anthropic')).toBe(1);
    expect(tokens(640, 480, 'other')).toBe(tokens(640, 480, 'anthropic'));
  });

  it('follows OpenAI: 85 and 170 a tile, or 85 for low detail', () => {
    expect(tokens(1024, 1024, 'openai')).toBe(765);
    expect(tokens(2048, 4096, 'openai')).toBe(1105);
    expect(tokens(512, 512, 'openai')).toBe(255);
    expect(tokens(513, 100, 'openai')).toBe(425);
    const low = { base64: png(2048, 4096), detail: 'low' };
    expect(estimateMedia('image', low, 'openai')).toMatchObject({ tokens: 85, width: 2048 });
    const remote = { url: 'https://example.com/a.png', detail: 'low' };
    expect(estimateMedia('image', remote, 'openai')).toEqual({ tokens: 85, known: true });
    expect(estimateMedia('image', { ...low, detail: 'high' }, 'openai').tokens).toBe(1105);
  });

  it('follows Google: 258 for a small picture, else a tile', () => {
    expect(tokens(384, 384, 'google')).toBe(258);
    expect(tokens(385, 100, 'google')).toBe(258);
    expect(tokens(1920, 1080, 'google')).toBe(258 * 3 * 2);
    expect(tokens(65_535, 65_535, 'google')).toBe(258 * 16);
  });

  it('never costs more than the vendor can charge, whatever the header says', () => {
    const side = fc.integer({ min: 1, max: 65_535 });
    const most = { anthropic: 1600, other: 1600, openai: 85 + 170 * 8, google: 258 * 16 };
    fc.assert(
      fc.property(side, side, (width, height) => {
        for (const vendor of ['anthropic', 'other', 'openai', 'google'] as const) {
          const cost = tokens(width, height, vendor);
          expect(Number.isInteger(cost) && cost > 0 && cost <= most[vendor]).toBe(true);
        }
      }),
    );
  });

  it('decodes the first part of a large one only', { timeout: 5000 }, () => {
    const large = png(640, 480) + 'A'.repeat(20_000_000);
    for (let times = 0; times < 500; times += 1)
      expect(estimateMedia('image', { base64: large }, 'anthropic').width).toBe(640);
  });
});

describe('what can not be read', () => {
  const unknown = { tokens: 0, known: false };

  it('is unknown and costs nothing', () => {
    for (const data of [{}, { base64: '' }, { base64: '!!' }, { url: 'https://example.com/a.png' }])
      expect(estimateMedia('image', data, 'openai')).toEqual(unknown);
    expect(estimateMedia('image', { base64: png(0, 0) }, 'google')).toEqual(unknown);
    expect(estimateMedia('video', { base64: 'AAAA', bytes: 4 }, 'google')).toEqual(unknown);
    expect(estimateMedia('audio', { base64: 'AAAA' }, 'other')).toEqual(unknown);
    expect(estimateMedia('document', { url: 'https://example.com/a.pdf' }, 'other')).toEqual(
      unknown,
    );
    expect(estimateMedia('document', { bytes: Number.NaN }, 'other')).toEqual(unknown);
  });

  it('never throws, nor hangs, on broken pictures', { timeout: 20_000 }, () => {
    const magic = fc.constantFrom(...MAGIC);
    fc.assert(
      fc.property(magic, fc.uint8Array({ maxLength: 400 }), (head, bytes) => {
        const { tokens: cost, known } = estimateMedia(
          'image',
          { base64: base64(head, [...bytes]) },
          'google',
        );
        expect(known ? cost > 0 : cost === 0).toBe(true);
      }),
      { numRuns: 1000 },
    );
    for (const fill of ['\0', '\xff', '<svg "', 'ftyp'])
      estimateMedia('image', { base64: base64('\xff\xd8\xff\xe0', fill.repeat(70_000)) }, 'other');
  });
});

describe('documents', () => {
  const pdf = 'application/pdf';

  it('counts pages where they are given, else guesses them from the size', () => {
    expect(document({ pages: 7, base64: 'AAAA', mime: pdf })).toBe(14_000);
    expect(document({ base64: 'A'.repeat(400_000), mime: pdf })).toBe(12_000);
    expect(document({ base64: 'AAAA', mime: pdf })).toBe(2000);
    expect(document({ bytes: 120_000, mime: pdf })).toBe(4000);
    expect(document({ pages: -1, bytes: 120_000, mime: pdf })).toBe(4000);
  });

  it('takes plain text by its bytes', () => {
    const text = Buffer.from('x'.repeat(1001)).toString('base64');
    for (const mime of [
      'text/plain',
      'TEXT/markdown; charset=utf-8',
      'md',
      'csv',
      'application/json',
    ])
      expect(document({ base64: text, mime })).toBe(251);
    expect(document({ bytes: 1001, mime: 'text/plain' })).toBe(251);
    // Converse names the format of a document that it gives as text.
    expect(document({ bytes: 1001, mime: 'pdf' })).toBe(251);
    expect(estimateMedia('document', { bytes: 0 }, 'other')).toEqual({ tokens: 0, known: true });
  });
});
