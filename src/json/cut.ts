import type { Splice } from '../model/splice.ts';
import type { Span } from './scan.ts';

/** Removes one of several members or elements with the separator beside it. */
export function without(
  spans: readonly (Span & { readonly keyStart?: number })[],
  index: number,
): Splice {
  const from = (at: number) => spans[at]?.keyStart ?? (spans[at] as Span).start;
  if (index > 0)
    return { start: (spans[index - 1] as Span).end, end: (spans[index] as Span).end, data: '' };
  if (spans.length > 1) return { start: from(0), end: from(1), data: '' };
  return { start: from(0), end: (spans[0] as Span).end, data: '' };
}

/** Removes some of several elements with their separators; at least one stays. */
export function withoutSome(spans: readonly Span[], gone: ReadonlySet<number>): Splice[] {
  const firstKept = spans.findIndex((_, index) => !gone.has(index));
  const head =
    firstKept === 0
      ? []
      : [{ start: (spans[0] as Span).start, end: (spans[firstKept] as Span).start, data: '' }];
  const rest = spans.flatMap(({ end }, index) =>
    index > firstKept && gone.has(index)
      ? [{ start: (spans[index - 1] as Span).end, end, data: '' }]
      : [],
  );
  return [...head, ...rest];
}
