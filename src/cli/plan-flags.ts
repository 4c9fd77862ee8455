import { usageError } from '../errors.ts';
import { isObject, type Json } from '../formats/value.ts';
import { shown } from '../specs/shown.ts';
import type { CompactFlags } from './compact-flags.ts';

type Name =
  | 'protect'
  | 'from'
  | 'to'
  | 'last'
  | 'only'
  | 'conversation'
  | 'keepPrefix'
  | 'includeDead'
  | 'native'
  | 'targetTokens'
  | 'minSavings'
  | 'markerHint'
  | 'format'
  | 'effect'
  | 'observe'
  | 'tools';
export type PlanFlags = Partial<Pick<CompactFlags, Name>>;
type Check = (value: unknown) => boolean;

const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const text: Check = (value) => typeof value === 'string' && value !== '';
const yes: Check = (value) => value === true;
const texts: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(text);

/**
 * Flags that shape a plan beside its steps: the plan remembers them. A summarizer is not among them, since a file must
 * neither run a command nor send texts.
 */
const REMEMBERED: Readonly<Record<Name, Check>> = {
  protect: texts,
  from: count,
  to: count,
  last: count,
  only: text,
  conversation: text,
  keepPrefix: count,
  includeDead: yes,
  native: yes,
  targetTokens: text,
  minSavings: text,
  markerHint: (value) => value === 'none' || value === 'cli',
  format: text,
  effect: texts,
  observe: texts,
  tools: text,
};

const NAMES = Object.keys(REMEMBERED) as readonly Name[];

/** The flags of a run that its plan remembers. */
export function rememberedFlags(flags: CompactFlags): PlanFlags {
  const named = NAMES.filter((name) => REMEMBERED[name](flags[name]));
  return Object.fromEntries(named.map((name) => [name, flags[name]]));
}

/** Flags of a command with those of its plan: lists add up, of the others the command's own stands. */
export function withPlanFlags(flags: CompactFlags, planned: PlanFlags): CompactFlags {
  const both = NAMES.flatMap((name) => {
    const [own, other] = [flags[name], planned[name]];
    if (Array.isArray(own) && Array.isArray(other)) return [[name, [...other, ...own]]];
    const value = own ?? other;
    return value === undefined ? [] : [[name, value]];
  });
  return { ...flags, ...Object.fromEntries(both) };
}

/** Reads what a plan remembers. @throws CtxError with exit 2 for a name or a value that no flag has. */
export function readPlanFlags(value: Json): PlanFlags {
  if (value === undefined) return {};
  if (!isObject(value)) throw usageError('the flags of the plan are no object', ADVICE);
  for (const [name, held] of Object.entries(value)) {
    if (!NAMES.includes(name as Name) || !REMEMBERED[name as Name](held))
      throw usageError(`the plan has a flag that can't be read: ${shown(name)}`, ADVICE);
  }
  return value;
}

const ADVICE = 'make a new one with ctx explain FILE --plan-out plan.json';
