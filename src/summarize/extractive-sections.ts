import { errorOf } from './errors.ts';
import { type Candidate, collectLines } from './lines.ts';
import { proseOf } from './prose.ts';
import { rankLines } from './rank.ts';
import { MOST_CHARS, MOST_ENTRIES, SECTIONS, type SectionName } from './sections.ts';
import { selectWithin } from './select.ts';
import { type SourceKind, sourceOf } from './source.ts';
import type { SummaryItem, SummaryRequest } from './summarizer.ts';

interface Entry {
  text: string;
  sourceIds: string[];
}

/** The best lines as a structured summary: the same lines as the plain form takes, sorted by what they are. */
export function extractSections({ items, maxTokens, count, sourceRef }: SummaryRequest): string {
  const ranked = rankLines(collectLines(items), maxTokens).filter(
    ({ text }) => text.trim().length <= MOST_CHARS,
  );
  const lines = selectWithin(ranked, { maxTokens, count, join: joined }).toSorted(
    (left, right) => left.order - right.order,
  );
  const lists = new Map<SectionName, Entry[]>(SECTIONS.map((name) => [name, []]));
  for (const line of lines) {
    const item = items[line.item] as SummaryItem;
    const id = item.id ?? sourceRef ?? '';
    addLine(lists.get(sectionOf(line, item, items.length)) as Entry[], line.text.trim(), id);
  }
  return lines.length === 0 ? '' : JSON.stringify(Object.fromEntries(lists));
}

function joined(lines: readonly Candidate[]): string {
  return lines.map(({ text }) => text.trim()).join('\n');
}

/** Lines of one message share an entry while it is short enough: there are few entries, and lines are short. */
function addLine(entries: Entry[], text: string, id: string): void {
  const last = entries.at(-1);
  const fits = last !== undefined && last.text.length + text.length < MOST_CHARS;
  if (fits && (last.sourceIds.includes(id) || entries.length === MOST_ENTRIES)) {
    last.text += `\n${text}`;
    if (!last.sourceIds.includes(id)) last.sourceIds.push(id);
  } else if (entries.length < MOST_ENTRIES) entries.push({ text, sourceIds: [id] });
}

const BY_PROSE = {
  rule: 'constraints',
  decision: 'decisions',
  open: 'activeWork',
  done: 'completedWork',
} as const;

const BY_SOURCE: Readonly<Record<SourceKind, SectionName>> = {
  user: 'constraints',
  assistant: 'completedWork',
  thinking: 'uncertainties',
  call: 'actionReceipts',
  tool: 'artifacts',
  injected: 'artifacts',
};

function sectionOf(
  { text, item: index }: Candidate,
  item: SummaryItem,
  total: number,
): SectionName {
  const kind = sourceOf(item, index, total)?.kind ?? 'tool';
  // A receipt is proof of what was done; a call that failed did not do it.
  if (kind === 'call') return item.isError === true ? 'uncertainties' : 'actionReceipts';
  const error = errorOf(text);
  if (kind === 'tool' && error !== undefined && error !== 'exit-ok') return 'uncertainties';
  const prose = kind === 'tool' ? undefined : proseOf(text, kind === 'user');
  return prose === undefined ? BY_SOURCE[kind] : BY_PROSE[prose];
}
