import type { Command, CommandArgument, Redirection, Word, WordPart } from 'unbash';

/** An argument of a command, as far as its text shows it. */
export interface Argument {
  /** Without quotes and escapes. */
  readonly value: string;
  /** It holds a pattern, so it can become several file names. */
  readonly glob: boolean;
  /** It holds a variable or braces, so it can become any words, options too. */
  readonly dynamic: boolean;
}

/** An argument that is what it says. */
export function fixed(value: string): Argument {
  return { value, glob: false, dynamic: false };
}

/**
 * The arguments of a command that neither runs nor writes anything by its syntax alone.
 * Undefined with a substitution, an expansion that can assign, a here-document, or a redirect to a file.
 */
export function plainArguments(command: Command): readonly Argument[] | undefined {
  if (!command.redirects.every(isHarmless)) return undefined;
  const found = command.args.map(readArgument);
  return found.every((argument) => argument !== undefined) ? found : undefined;
}

/** A command's name when it stands there in plain letters: no quote, escape, pattern or variable. */
export function plainName(command: Command): string | undefined {
  const { name } = command;
  const isPlain = name !== undefined && name.parts === undefined && name.text === name.value;
  return isPlain ? name.value : undefined;
}

function readArgument(word: CommandArgument): Argument | undefined {
  if (word.type !== 'Word') return undefined;
  const parts = partsOf(word);
  if (!parts.every(isSafe)) return undefined;
  return {
    value: word.value,
    glob: parts.some((part) => part.type === 'Glob'),
    dynamic: parts.some((part) => DYNAMIC.has(part.type)),
  };
}

/** All parts with those inside quotes, patterns and braces. */
function partsOf(node: Word | WordPart): readonly WordPart[] {
  const parts: readonly WordPart[] = ('parts' in node ? node.parts : undefined) ?? [];
  return parts.flatMap((part) => [part, ...partsOf(part)]);
}

const DYNAMIC: ReadonlySet<WordPart['type']> = new Set([
  'SimpleExpansion',
  'ParameterExpansion',
  'BraceExpansion',
]);

// Not here: substitutions and arithmetic, which run or assign; extended patterns, which run code in zsh;
// translated strings, whose text is elsewhere.
const SAFE: ReadonlySet<WordPart['type']> = new Set([
  'Literal',
  'SingleQuoted',
  'DoubleQuoted',
  'AnsiCQuoted',
  'Glob',
  'SimpleExpansion',
  'BraceExpansion',
] as const);

/** `${name}` is a variable; with an operation, an index or a prefix it can assign or run. */
function isSafe(part: WordPart): boolean {
  if (part.type !== 'ParameterExpansion') return SAFE.has(part.type);
  const { operation, index, prefix } = part;
  return operation === undefined && index === undefined && prefix === undefined;
}

/** Only into nothing, from nothing, or one of the two outputs into the other. */
function isHarmless(redirect: Redirection): boolean {
  if (redirect.type !== 'Redirect' || redirect.target === undefined) return false;
  const { operator, descriptor, target } = redirect;
  if (target.parts !== undefined || descriptor?.type === 'FileDescriptorVariable') return false;
  if (operator === '>&') return OUTPUTS.has(target.value) && isOutput(descriptor?.value);
  return TO_NOTHING.has(operator) && target.value === '/dev/null';
}

const OUTPUTS: ReadonlySet<string> = new Set(['1', '2']);
const TO_NOTHING: ReadonlySet<string> = new Set(['>', '>>', '&>', '&>>', '<']);

function isOutput(descriptor: number | undefined): boolean {
  return descriptor === undefined || descriptor === 1 || descriptor === 2;
}
