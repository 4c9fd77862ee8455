import type { Argument } from './words.ts';

/** What keeps a listed command a read. A rule without fields allows every argument. */
export interface CommandRule {
  /** Letters of forbidden short options, joined ones too. */
  readonly short?: string;
  /** Forbidden long options, without dashes. */
  readonly long?: readonly string[];
  /** Beginnings of forbidden words. */
  readonly starts?: readonly string[];
  /** The only options allowed; one that ends in `=` takes a value. */
  readonly options?: readonly string[];
  /** How many operands there may be at most. */
  readonly most?: number;
  /** Letters of short options whose value is the next word, so that it is no operand. */
  readonly valued?: string;
  /** What every operand starts with. */
  readonly operand?: string;
  /** Operands are allowed only with one of these options. */
  readonly operandsWith?: readonly string[];
  /** Parts of a word that are forbidden anywhere in it. */
  readonly without?: readonly string[];
  /** The first argument names one of these; nothing else is allowed. */
  readonly subs?: ReadonlyMap<string, CommandRule>;
  /** Options that may stand before the subcommand, with the number of words each takes. */
  readonly globals?: ReadonlyMap<string, number>;
}

/** Whether a command with these arguments is a read under its rule. */
export function allows(rule: CommandRule, args: readonly Argument[]): boolean {
  if (Object.keys(rule).length === 0) return true;
  // A variable could hold the very option that is forbidden.
  if (args.some((argument) => argument.dynamic)) return false;
  if (rule.subs !== undefined) return allowsSub(rule.subs, rule.globals ?? new Map(), args);
  return !args.some(({ value }) => isForbidden(rule, value)) && allowsOperands(rule, args);
}

function allowsSub(
  subs: ReadonlyMap<string, CommandRule>,
  globals: ReadonlyMap<string, number>,
  args: readonly Argument[],
): boolean {
  const [first, ...rest] = args;
  if (first === undefined || first.glob) return false;
  const taken = globals.get(first.value);
  if (taken !== undefined) return allowsSub(subs, globals, rest.slice(taken));
  const rule = subs.get(first.value);
  return rule !== undefined && allows(rule, rest);
}

/** Options count wherever they stand, after `--` too: a file of such a name is rare, a mistake is not. */
function isForbidden(rule: CommandRule, word: string): boolean {
  if (rule.starts?.some((start) => word.startsWith(start)) === true) return true;
  if (rule.without?.some((part) => word.includes(part)) === true) return true;
  if (!isOption(word) || word === '--') return false;
  if (rule.options !== undefined) return !rule.options.some((option) => isOrHolds(option, word));
  if (!word.startsWith('--')) return Array.from(rule.short ?? '').some((it) => word.includes(it));
  // Long options may be abbreviated.
  const name = word.slice(2).split('=', 1)[0] ?? '';
  return rule.long?.some((long) => long.startsWith(name)) === true;
}

function isOrHolds(option: string, word: string): boolean {
  return option === word || (option.endsWith('=') && word.startsWith(option));
}

function allowsOperands(rule: CommandRule, args: readonly Argument[]): boolean {
  const { before, operands } = split(rule, args);
  if (operands.length === 0) return true;
  // A pattern stands for any number of files.
  const count = operands.some(({ glob }) => glob) ? Number.POSITIVE_INFINITY : operands.length;
  return (
    count <= (rule.most ?? Number.POSITIVE_INFINITY) &&
    operands.every(({ value }) => value.startsWith(rule.operand ?? '')) &&
    (rule.operandsWith === undefined || rule.operandsWith.some((it) => before.includes(it)))
  );
}

/** The options before `--`, and the operands. */
function split(
  rule: CommandRule,
  args: readonly Argument[],
): { readonly before: readonly string[]; readonly operands: readonly Argument[] } {
  const before: string[] = [];
  const operands: Argument[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] as Argument;
    if (argument.value === '--') return { before, operands: [...operands, ...args.slice(at + 1)] };
    if (!isOption(argument.value)) operands.push(argument);
    else {
      before.push(argument.value);
      if (takesNext(rule, argument.value) && args[at + 1]?.glob !== true) at += 1;
    }
  }
  return { before, operands };
}

function takesNext(rule: CommandRule, option: string): boolean {
  return option.length === 2 && rule.valued?.includes(option.charAt(1)) === true;
}

/** A dash alone is the standard input or output. */
function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-';
}
