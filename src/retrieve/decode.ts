import { isObject, stringAt, valueAt } from '../formats/value.ts';
import type { Entry } from '../stash/lines.ts';

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

/** Every piece of media in an entry. */
export function mediaIn(entry: Entry): { readonly bytes: Buffer; readonly mime: string }[] {
  if (RECORDS.includes(entry.kind)) return [];
  return entry.pieces.flatMap((piece) => mediaOf(JSON.parse(piece.toString('utf8'))) ?? []);
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
  const text = stringAt(value, 'text');
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

function findData(value: unknown, depth: number): { base64: string; mime: string } | undefined {
  if (!isObject(value) || depth > 4) return undefined;
  const url = [value['image_url'], value['url'], value['file_data']].find(
    (item) => typeof item === 'string',
  );
  const match = typeof url === 'string' ? /^data:([^;,]*)(?:;[^,]*)?,/.exec(url) : null;
  if (match !== null && typeof url === 'string')
    return { base64: url.slice(match[0].length), mime: match[1] ?? '' };
  const data = value['data'] ?? value['bytes'];
  if (typeof data === 'string')
    return {
      base64: data,
      mime: stringAt(value, 'media_type') ?? stringAt(value, 'mimeType') ?? '',
    };
  for (const inner of Object.values(value)) {
    const found = findData(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Base64 is never printed in text: the media of a mixed original are named. */
function mediaNote(value: unknown): string {
  const media = mediaOf(value);
  return media === undefined
    ? JSON.stringify(value)
    : `[${media.mime || 'media'}, ${media.bytes.length} bytes: use --raw]`;
}
