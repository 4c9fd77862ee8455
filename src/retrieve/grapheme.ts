const SEGMENTER = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Graphemes longer than this are cut between code points: text may be made to hurt. */
const WINDOW = 64;

/** The last grapheme border at or before a position, never inside a surrogate pair; in UTF-16 units. */
export function graphemeEnd(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const from = codePointStart(text, Math.max(0, end - WINDOW));
  let border = from;
  for (const { index } of SEGMENTER.segment(text.slice(from, end + WINDOW))) {
    if (from + index > end) break;
    border = from + index;
  }
  return border > from || from === 0 ? border : codePointStart(text, end);
}

function codePointStart(text: string, at: number): number {
  const inside = (text.codePointAt(at - 1) ?? 0) > 0xffff;
  return inside ? at - 1 : at;
}
