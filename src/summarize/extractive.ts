import { extractSections } from './extractive-sections.ts';
import { type Candidate, collectLines } from './lines.ts';
import { rankLines } from './rank.ts';
import { selectWithin } from './select.ts';
import type { Summarizer, SummaryRequest } from './summarizer.ts';

/** It answers at once, with text alone. */
interface Extractive extends Summarizer {
  summarize(request: SummaryRequest): string;
}

/**
 * The built-in summarizer: the lines of the items that carry most of what a later reader needs (rules, goals,
 * decisions, errors, commands, paths, ids, figures, open work), verbatim and in their order; whole, or a whole record
 * or sentence of a line that is too long to quote. Pure and deterministic; empty when no useful line fits.
 */
export const extractive: Extractive = {
  name: 'extractive',
  summarize: (request: SummaryRequest): string => {
    const { items, maxTokens, count } = request;
    if (!(maxTokens > 0)) return '';
    if (request.form === 'sections') return extractSections(request);
    const ranked = rankLines(collectLines(items), maxTokens);
    return joined(selectWithin(ranked, { maxTokens, count, join: joined }));
  },
};

/** Chosen lines come in rank order; a summary reads in the order of the session. */
function joined(chosen: readonly Candidate[]): string {
  return chosen
    .toSorted((a, b) => a.order - b.order)
    .map((line) => line.text)
    .join('\n');
}
