import type { SummaryItem } from './summarizer.ts';

/** Whose words a line is: it decides what the same words are worth. */
export type SourceKind = 'user' | 'assistant' | 'thinking' | 'call' | 'tool' | 'injected';

export interface Source {
  readonly kind: SourceKind;
  readonly failed: boolean;
  /** Added to the score of every line: the goal at the start, the state at the end. */
  readonly bonus: number;
  /** Longer lines are left out; people and models write whole paragraphs in one line. */
  readonly longest: number;
}

const LONGEST: Readonly<Record<SourceKind, number>> = {
  user: 4000,
  assistant: 1000,
  thinking: 400,
  call: 400,
  tool: 400,
  injected: 400,
};

/** Context that clients put into a user message is wrapped in a tag. */
const TAGGED = /^\s{0,20}<[a-z][\w-]{0,40}>/i;

/** Undefined for items without text to quote (media, opaque blocks). */
export function sourceOf(item: SummaryItem, index: number, total: number): Source | undefined {
  const kind = kindOf(item);
  if (kind === undefined || item.text === '') return undefined;
  const late = index >= total * 0.9;
  const bonus = late ? 4 : 0;
  return { kind, failed: item.isError === true, bonus, longest: LONGEST[kind] };
}

function kindOf(item: SummaryItem): SourceKind | undefined {
  switch (item.kind) {
    case 'thinking':
      return 'thinking';
    case 'toolCall':
      return 'call';
    case 'toolResult':
      return 'tool';
    case 'text':
      if (item.role === 'assistant') return 'assistant';
      if (item.role !== 'user' || item.real === false) return 'injected';
      return TAGGED.test(item.text) ? 'injected' : 'user';
    default:
      return undefined;
  }
}
