/** What bars and cuts are drawn with. */
export interface Glyphs {
  readonly full: string;
  /** What stands for a part of a column, smallest first. */
  readonly parts: readonly string[];
  readonly empty: string;
  readonly cut: string;
}

/** Every character that a chart is drawn with: for terminals, and for pipes and logs. */
export const GLYPHS: { readonly [Name in 'blocks' | 'ascii']: Glyphs } = {
  blocks: {
    full: '\u2588',
    parts: ['\u258f', '\u258e', '\u258d', '\u258c', '\u258b', '\u258a', '\u2589'],
    empty: '\u2591',
    cut: '\u2026',
  },
  ascii: { full: '#', parts: [], empty: '.', cut: '...' },
};

/** A bar of a share from 0 to 1. What is not nothing is never drawn as nothing. */
export function bar(share: number, width: number, { full, parts }: Glyphs): string {
  const steps = parts.length + 1;
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width * steps);
  const units = share > 0 ? Math.max(1, filled) : 0;
  return full.repeat(Math.floor(units / steps)) + (parts[(units % steps) - 1] ?? '');
}

/** The same with what is missing to the whole drawn too. */
export function gauge(share: number, width: number, glyphs: Glyphs): string {
  const drawn = bar(share, width, glyphs);
  return drawn + glyphs.empty.repeat(width - drawn.length);
}
