import { usageError } from '../errors.ts';
import { safe } from '../report/safe.ts';
import { plainName } from './names.ts';
import type { NamedTarget, Target } from './spec.ts';

const NAMED: readonly NamedTarget[] = [
  '*',
  'toolResults',
  'toolResultErrors',
  'assistantText',
  'userText',
  'media',
];
export const TARGETS: string = `${NAMED.join(', ')}, or tools as tool::NAME`;

/**
 * Reads a target: a named one, or a list of tool names joined by `+`, `!` in front of those to leave out.
 * @throws CtxError with exit 2: unknown name, nothing named, excludes that cancel every include.
 */
export function parseTarget(text: string): Target {
  const entries = splitEntries(text);
  const [only] = entries;
  if (only === undefined || entries.some(({ name }) => name === '')) {
    throw usageError('the target is empty and matches nothing', `give at least one of: ${TARGETS}`);
  }
  if (entries.length === 1 && !only.tool && !only.exclude) return { type: named(only.name) };
  for (const { name, tool } of entries) {
    if (!tool && findNamed(name) !== undefined) {
      throw usageError(
        `${safe(name)} can't stand in a list of tools`,
        'use one strategy for each target; for a tool of that name write tool::NAME',
      );
    }
  }
  return tools(entries);
}

/** A target as it is written on the command line. */
export function formatTarget(target: Target): string {
  if (target.type !== 'tools') return target.type;
  return [
    ...target.include.map((name) => `tool::${quoted(name)}`),
    ...target.exclude.map((name) => `!tool::${quoted(name)}`),
  ].join('+');
}

interface Entry {
  readonly name: string;
  readonly exclude: boolean;
  /** Written with the prefix or in quotes: certainly a tool. */
  readonly tool: boolean;
}

function tools(entries: readonly Entry[]): Target {
  const names = (exclude: boolean) => [
    ...new Set(entries.filter((entry) => entry.exclude === exclude).map(({ name }) => name)),
  ];
  const exclude = names(true);
  const included = names(false);
  const include = included.filter((name) => !exclude.includes(name));
  if (included.length > 0 && include.length === 0) {
    throw usageError(
      'the excluded tools cancel every included one: nothing matches',
      'take one of them out of the list',
    );
  }
  return { type: 'tools', include, exclude: included.length > 0 ? [] : exclude };
}

function named(name: string): NamedTarget {
  const found = findNamed(name);
  if (found !== undefined) return found;
  throw usageError(
    `unknown target ${safe(name.slice(0, 60))}`,
    `accepted: ${TARGETS}. For a tool write tool::${safe(name.slice(0, 40))}`,
  );
}

function findNamed(name: string): NamedTarget | undefined {
  return NAMED.find((target) => plainName(target) === plainName(name));
}

/** Entries between `+` outside of quotes. */
function splitEntries(text: string): Entry[] {
  const parts: string[] = [];
  let part = '';
  let quote = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at] as string;
    if (unit === '"') quote = !quote;
    if (quote && unit === '\\') part += unit + (text[++at] ?? '');
    else if (unit === '+' && !quote) {
      parts.push(part);
      part = '';
    } else part += unit;
  }
  if (quote) throw usageError('a quote in the target is not closed', 'close it with "');
  return [...parts, part].map(readEntry);
}

function readEntry(part: string): Entry {
  const exclude = part.startsWith('!');
  const rest = exclude ? part.slice(1) : part;
  const tool = rest.startsWith('tool::');
  const name = tool ? rest.slice('tool::'.length) : rest;
  const match = /^"((?:[^"\\]|\\.)*)"$/s.exec(name);
  if (match === null) return { name, exclude, tool };
  return { name: (match[1] ?? '').replace(/\\(.)/gs, '$1'), exclude, tool: true };
}

function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;
}
