import { isObject } from '../formats/value.ts';

/** The sections of a structured summary (masking and summary, section 4). */
export const SECTIONS = [
  'completedWork',
  'activeWork',
  'constraints',
  'decisions',
  'uncertainties',
  'artifacts',
  'actionReceipts',
] as const;

export type SectionName = (typeof SECTIONS)[number];

interface SectionEntry {
  readonly text: string;
  /** Ids of packet items, or the ref of the whole source. */
  readonly sourceIds: readonly string[];
}

export type Sections = Readonly<Record<SectionName, readonly SectionEntry[]>>;

/** The outer boundary, whoever made the summary. */
export const MOST_ENTRIES = 12;
export const MOST_CHARS = 600;

export interface SectionLimits {
  /** What a `sourceIds` entry may name. */
  readonly ids: ReadonlySet<string>;
  /** Most tokens of all texts together. */
  readonly maxTokens: number;
  readonly count: (text: string) => number;
}

/**
 * Reads and checks an answer (section 4.6): JSON with exactly the seven lists, at least one entry, each with a text
 * that is neither blank nor too long and with source ids that name the source. A text when it breaks a rule.
 */
export function readSections(answer: string, limits: SectionLimits): Sections | string {
  const value = parseAnswer(answer);
  if (!isObject(value)) return 'the answer is not a JSON object';
  const unknown = Object.keys(value).find((key) => !(SECTIONS as readonly string[]).includes(key));
  if (unknown !== undefined) return `the key ${JSON.stringify(unknown)} is not one of the sections`;
  for (const name of SECTIONS) {
    const problem = sectionProblem(name, value[name], limits);
    if (problem !== undefined) return problem;
  }
  const sections = Object.fromEntries(
    SECTIONS.map((name) => [name, (value[name] as SectionEntry[]).map(plainEntry)]),
  ) as unknown as Sections;
  const entries = entriesOf(sections);
  if (entries.length === 0) return 'every section is empty';
  const tokens = limits.count(entries.map(({ text }) => text).join('\n'));
  return tokens > limits.maxTokens
    ? `the summary has ${tokens} tokens, more than ${limits.maxTokens}`
    : sections;
}

function entriesOf(sections: Sections): SectionEntry[] {
  return SECTIONS.flatMap((name) => sections[name]);
}

/** Models like to put JSON into a fence. */
function parseAnswer(answer: string): unknown {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(answer)?.[1];
  try {
    return JSON.parse(fenced ?? answer) as unknown;
  } catch {
    return undefined;
  }
}

function sectionProblem(
  name: SectionName,
  value: unknown,
  { ids }: SectionLimits,
): string | undefined {
  if (!Array.isArray(value)) return `${name} is not a list`;
  if (value.length > MOST_ENTRIES)
    return `${name} has ${value.length} entries, more than ${MOST_ENTRIES}`;
  for (const entry of value as unknown[]) {
    const problem = entryProblem(entry, ids);
    if (problem !== undefined) return `an entry of ${name} ${problem}`;
  }
  return undefined;
}

function entryProblem(entry: unknown, ids: ReadonlySet<string>): string | undefined {
  if (!isObject(entry)) return 'is not an object';
  const { text, sourceIds } = entry as { text?: unknown; sourceIds?: unknown };
  if (typeof text !== 'string' || text.trim() === '') return 'has no text';
  if (text.length > MOST_CHARS) return `has ${text.length} characters, more than ${MOST_CHARS}`;
  if (!Array.isArray(sourceIds) || sourceIds.length === 0) return 'has no sourceIds';
  const unknown = (sourceIds as unknown[]).find((id) => typeof id !== 'string' || !ids.has(id));
  return unknown === undefined ? undefined : `names the unknown source ${JSON.stringify(unknown)}`;
}

function plainEntry({ text, sourceIds }: SectionEntry): SectionEntry {
  return { text: text.trim(), sourceIds };
}
