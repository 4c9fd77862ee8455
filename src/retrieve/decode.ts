import { isObject, stringAt, valueAt } from '../formats/value.ts';
import { ARCHIVE_KIND, type Entry } from '../stash/lines.ts';
import { sniffMedia } from './sniff.ts';

/** An original as a person wants it: text, the bytes of a picture, or the records that were removed. */
export type Decoded =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'media'; readonly bytes: Buffer; readonly mime: string }
  | { readonly type: 'records'; readonly text: string };

/** Kinds whose pieces are whole records. */
const RECORDS: readonly string[] = ['messages', 'source', 'records', 'thinking'];

/** Reads an entry. Texts are decoded and joined by a newline; removed messages are their records, one a line. */
export function decodeEntry(entry: Entry): Decoded {
  if (RECORDS.includes(entry.kind)) {
    return {
      type: 'records',
      text: entry.pieces.map((piece) => `${piece.toString('utf8')}\n`).join(''),
    };
  }
  if (entry.kind === ARCHIVE_KIND)
    return { type: 'media', bytes: rawEntry(entry), mime: 'application/octet-stream' };
  const all = entry.pieces.map((piece) => JSON.parse(piece.toString('utf8')) as unknown);
  const data = new Set(all.flatMap((value) => findData(value, 0)?.base64 ?? []));
  // The second place of a picture in a file is the bare base64 of the first.
  const values = all.filter((value) => typeof value !== 'string' || !data.has(value));
  const texts = values.map(textOf);
  if (texts.every((text) => text === undefined)) {
    const media = values.map(mediaOf).find((found) => found !== undefined);
    if (media !== undefined) return { type: 'media', ...media };
  }
  return {
    type: 'text',
    text: texts.map((text, index) => text ?? mediaNote(values[index])).join('\n'),
  };
}

/** Every picture, document and sound in an entry, also those of removed messages. */
export function mediaIn(entry: Entry): { readonly bytes: Buffer; readonly mime: string }[] {
  if (entry.kind === ARCHIVE_KIND) return [];
  const values = entry.pieces.map((piece) => JSON.parse(piece.toString('utf8')) as unknown);
  if (!RECORDS.includes(entry.kind))
    return values.flatMap((value) => plainDocument(value) ?? mediaOf(value) ?? []);
  const found = values.flatMap((value) => mediaWithin(value));
  // The second place of a picture in a record is no second picture.
  return [...new Map(found.map((media) => [media.bytes.toString('base64'), media])).values()];
}

/** Media of a message lie near its top. */
const DEEPEST = 32;

/** A tool's input may have any string under the same keys, so that here the bytes have to say what they are. */
function mediaWithin(value: unknown, depth = 0): { bytes: Buffer; mime: string }[] {
  if (depth > DEEPEST) return [];
  if (Array.isArray(value)) return value.flatMap((item) => mediaWithin(item, depth + 1));
  if (!isObject(value)) return [];
  const own = plainDocument(value);
  if (own !== undefined) return [own];
  const data = dataOf(value);
  const bytes = Buffer.from(data?.base64 ?? '', 'base64');
  if (data !== undefined && sniffMedia(bytes).ext !== 'bin') return [{ bytes, mime: data.mime }];
  return Object.values(value).flatMap((inner) => mediaWithin(inner, depth + 1));
}

/** The exact JSON bytes of an entry, pieces joined by one newline: what its ref is the hash of. */
export function rawEntry(entry: Entry): Buffer {
  return Buffer.concat(
    entry.pieces.flatMap((piece, index) => (index === 0 ? [piece] : [Buffer.from('\n'), piece])),
  );
}

/** Text of a stored value: a string, a text item, JSON in a string (old Codex outputs), or a JSON item. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return nestedText(value) ?? value;
  const text = stringAt(value, 'text') ?? plainText(value);
  if (text !== undefined) return text;
  const json = valueAt(value, 'json');
  return json === undefined ? undefined : JSON.stringify(json, null, 2);
}

function nestedText(text: string): string | undefined {
  if (!text.startsWith('{"')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return valueAt(value, 'metadata') === undefined ? undefined : stringAt(value, 'output');
  } catch {
    return undefined;
  }
}

/** Base64 data wherever a format keeps it: a source, a data URL, a Converse body. */
function mediaOf(value: unknown): { bytes: Buffer; mime: string } | undefined {
  const found = findData(value, 0);
  return found === undefined
    ? undefined
    : { bytes: Buffer.from(found.base64, 'base64'), mime: found.mime };
}

function findData(value: unknown, depth: number): Base64 | undefined {
  if (!isObject(value) || depth > 4) return undefined;
  const own = dataOf(value);
  if (own !== undefined) return own;
  for (const inner of Object.values(value)) {
    const found = findData(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function dataOf(value: Readonly<Record<string, unknown>>): Base64 | undefined {
  const url = [value['image_url'], value['url'], value['file_data']].find(
    (item) => typeof item === 'string',
  );
  const match = typeof url === 'string' ? /^data:([^;,]*)(?:;[^,]*)?,/.exec(url) : null;
  if (match !== null && typeof url === 'string')
    return { base64: url.slice(match[0].length), mime: match[1] ?? '' };
  const data = value['data'] ?? value['bytes'];
  // The text of a plain document stands under the same key.
  if (typeof data !== 'string' || value['type'] === 'text') return undefined;
  return {
    base64: data,
    mime: stringAt(value, 'media_type') ?? stringAt(value, 'mimeType') ?? '',
  };
}

interface Base64 {
  readonly base64: string;
  readonly mime: string;
}

/** A document whose source is its text, as the Messages API has them. */
function plainDocument(value: unknown): { bytes: Buffer; mime: string } | undefined {
  const text = plainText(value);
  return text === undefined ? undefined : { bytes: Buffer.from(text), mime: 'text/plain' };
}

function plainText(value: unknown): string | undefined {
  return stringAt(value, 'source', 'type') === 'text'
    ? stringAt(value, 'source', 'data')
    : undefined;
}

/** Base64 is never printed in text: the media of a mixed original are named. */
function mediaNote(value: unknown): string {
  const media = mediaOf(value);
  return media === undefined
    ? JSON.stringify(value)
    : `[${media.mime || 'media'}, ${media.bytes.length} bytes: use --raw]`;
}
