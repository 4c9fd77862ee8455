/** Which end of a text is worth more when it is cut: a path is known by its end. */
export type Keep = 'start' | 'end';

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

// East Asian wide and full-width characters, and emoji: two columns each on a terminal.
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const PLAIN = /^[\x20-\x7e]*$/;

/** Columns that a text takes on a terminal. */
export function columnsOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of GRAPHEMES.segment(text)) columns += WIDE.test(segment) ? 2 : 1;
  return columns;
}

/** A text that takes at most `most` columns; what was cut off is shown by `mark`. */
export function cutTo(text: string, most: number, mark: string, keep: Keep = 'start'): string {
  // A text of megabytes is not measured to its end only to be thrown away.
  const near = text.length > most * 20 ? within(text, most * 20, keep) : text;
  if (near === text && columnsOf(text) <= most) return text;
  const room = Math.max(0, most - mark.length);
  const segments = [...GRAPHEMES.segment(near)].map(({ segment }) => segment);
  const kept: string[] = [];
  let used = 0;
  for (const segment of keep === 'start' ? segments : segments.toReversed()) {
    used += columnsOf(segment);
    if (used > room) break;
    kept.push(segment);
  }
  return keep === 'start' ? `${kept.join('')}${mark}` : `${mark}${kept.toReversed().join('')}`;
}

/** A text filled up with spaces. */
export function pad(text: string, width: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, width - columnsOf(text)));
  return right ? `${space}${text}` : `${text}${space}`;
}

function within(text: string, units: number, keep: Keep): string {
  return keep === 'start' ? text.slice(0, units) : text.slice(-units);
}
