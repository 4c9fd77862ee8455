import { usageError } from '../errors.ts';
import { plainName } from './names.ts';
import { didYouMean } from './nearest.ts';
import { shown } from './shown.ts';
import type { NamedTarget, Target } from './spec.ts';

/** `observations` is the target of the masking family alone, which has no other. */
const NAMED: readonly NamedTarget[] = [
  '*',
  'toolResults',
  'toolResultErrors',
  'assistantText',
  'userText',
  'media',
];
const ACCEPTED = `${NAMED.join(', ')}, or tools as tool::NAME`;
const PREFIX = 'tool::';

/**
 * Reads a target: a named one, or a list of tool names joined by `+`, `!` in front of those to leave out.
 * @throws CtxError with exit 2: unknown name, nothing named, excludes that cancel every include.
 */
export function parseTarget(text: string): Target {
  if (text === '')
    throw usageError(
      'the target is empty and matches nothing',
      `give at least one of: ${ACCEPTED}`,
    );
  const entries = splitEntries(text).map(readEntry);
  const [only] = entries;
  if (entries.length === 1 && only?.form === 'bare' && !only.exclude)
    return { type: named(only.name) };
  for (const entry of entries) checkTool(entry);
  return tools(entries);
}

/** A target as it is written on the command line. */
export function formatTarget(target: Target): string {
  if (target.type !== 'tools') return target.type;
  return [
    ...target.include.map((name) => `${PREFIX}${quoted(name)}`),
    ...target.exclude.map((name) => `!${PREFIX}${quoted(name)}`),
  ].join('+');
}

interface Entry {
  readonly name: string;
  readonly exclude: boolean;
  /** A bare word may be a named target; with the prefix or in quotes it is certainly a tool. */
  readonly form: 'bare' | 'prefixed' | 'quoted';
}

/** Text between `+` outside of quotes. */
function splitEntries(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quote = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\' && quote) at += 1;
    else if (text[at] === '"') quote = !quote;
    else if (text[at] === '+' && !quote) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  if (quote) throw usageError(`a quote in ${shown(text)} is not closed`, 'close it with "');
  return [...parts, text.slice(start)];
}

function readEntry(part: string): Entry {
  const exclude = part.startsWith('!');
  const rest = exclude ? part.slice(1) : part;
  const prefixed = rest.startsWith(PREFIX);
  const name = prefixed ? rest.slice(PREFIX.length) : rest;
  const inner = /^"((?:[^"\\]|\\.)*)"$/s.exec(name)?.[1];
  return inner === undefined
    ? { name, exclude, form: prefixed ? 'prefixed' : 'bare' }
    : { name: inner.replace(/\\(.)/gs, '$1'), exclude, form: 'quoted' };
}

function named(name: string): NamedTarget {
  const found = findNamed(name);
  if (found !== undefined) return found;
  const guess = didYouMean(
    name,
    NAMED.filter((target) => target !== '*'),
  );
  throw usageError(
    `unknown target ${shown(name)}`,
    `${guess}accepted: ${NAMED.join(', ')}; for a tool write tool::NAME`,
  );
}

function findNamed(name: string): NamedTarget | undefined {
  return NAMED.find((target) => plainName(target) === plainName(name));
}

/** A name that is certainly mistyped would match nothing, and silently. */
function checkTool({ name, form }: Entry): void {
  if (name === '')
    throw usageError('the list of tools has an empty name', 'write tool::NAME, joined by +');
  if (form === 'quoted') return;
  if (form === 'bare' && findNamed(name) !== undefined)
    throw usageError(
      `${shown(name)} is a target of its own and can't stand in a list of tools`,
      'use one strategy for each target; for a tool of that name write tool::NAME',
    );
  const odd = form === 'bare' ? /[",!:]|^\s|\s$/ : /[",!]|^\s|\s$/;
  if (odd.test(name))
    throw usageError(
      `${shown(name)} is no plain tool name`,
      'write tool::NAME, joined by +, with ! in front of those to leave out; other names in quotes, tool::"NAME"',
    );
}

function tools(entries: readonly Entry[]): Target {
  const names = (exclude: boolean) => [
    ...new Set(entries.filter((entry) => entry.exclude === exclude).map(({ name }) => name)),
  ];
  const include = names(false);
  const exclude = names(true);
  if (include.length > 0 && include.every((name) => exclude.includes(name)))
    throw usageError(
      'the excluded tools cancel every included one: nothing matches',
      'take one of them out of the list',
    );
  return { type: 'tools', include, exclude };
}

function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;
}
