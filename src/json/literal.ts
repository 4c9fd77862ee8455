/** Writes JSON literals in the manner of the record they are put into. */

/** How a record is written: separators and whether it keeps to ASCII. */
export interface JsonStyle {
  /** Text between a key and its value, `:` or `: `. */
  readonly colon: string;
  /** Text between members, `,` or `, `. */
  readonly comma: string;
  readonly ascii: boolean;
}

export const COMPACT: JsonStyle = { colon: ':', comma: ',', ascii: false };

/** Reads the style off a record's bytes: its first separators, and ASCII when it holds nothing else. */
export function styleOf(record: Uint8Array): JsonStyle {
  const head = Buffer.from(
    record.buffer,
    record.byteOffset,
    Math.min(record.length, 4096),
  ).toString('latin1');
  const spaced = /^\s*\{\s*"(?:[^"\\]|\\.)*": /.test(head);
  return { colon: spaced ? ': ' : ':', comma: spaced ? ', ' : ',', ascii: isAscii(record) };
}

/**
 * A string literal. U+2028 and U+2029 are escaped always, all beyond ASCII when the style says so. A lone
 * surrogate becomes U+FFFD: a request body that holds one is refused by every API.
 */
export function stringLiteral(text: string, style: JsonStyle = COMPACT): string {
  const literal = JSON.stringify(text.toWellFormed());
  const unsafe = style.ascii ? /[\u007f-\uffff]/g : /[\u2028\u2029]/g;
  return literal.replace(unsafe, escapeUnit);
}

/** Nothing of ours is deeper; a member of a record that is comes out as null. */
const DEEPEST = 64;

/** A JSON value with the style's separators (plain objects, arrays and scalars). */
export function jsonLiteral(value: unknown, style: JsonStyle = COMPACT, depth = 0): string {
  if (typeof value === 'string') return stringLiteral(value, style);
  if (depth === DEEPEST && typeof value === 'object') return 'null';
  if (Array.isArray(value))
    return `[${value.map((item) => jsonLiteral(item, style, depth + 1)).join(style.comma)}]`;
  if (value !== null && typeof value === 'object') {
    const parts = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(
        ([key, item]) =>
          `${stringLiteral(key, style)}${style.colon}${jsonLiteral(item, style, depth + 1)}`,
      );
    return `{${parts.join(style.comma)}}`;
  }
  return JSON.stringify(value);
}

function isAscii(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += 1) if ((bytes[at] as number) > 0x7f) return false;
  return true;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
