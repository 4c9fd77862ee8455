/** What a call does to the world outside the conversation; `unknown` wherever that is not certain. */
export type Effect = 'read' | 'write' | 'unknown';

/** An effect that a person or a manifest may claim. */
export type KnownEffect = 'read' | 'write';

/** A call as effects see it. */
export interface ToolCall {
  readonly tool: string;
  /** The parsed JSON value; text when the input is plain text, or when the arguments are no JSON. */
  readonly args: unknown;
}

/** `--effect NAME=read|write`. */
export interface EffectRule {
  readonly tool: string;
  readonly effect: KnownEffect;
}

/** `--observe TOOL[:PATTERN]`: these calls are observations, without a claim that they have no effect. */
export interface ObserveRule {
  readonly tool: string;
  /** A glob over the whole command or the arguments; absent for every call of the tool. */
  readonly pattern?: string;
}

/** All that the user gave to decide effects with. */
export interface EffectRules {
  readonly effects: readonly EffectRule[];
  readonly observed: readonly ObserveRule[];
  readonly manifest: ReadonlyMap<string, KnownEffect>;
}

/** Nothing given: the built-in table decides alone. */
export const NO_RULES: EffectRules = { effects: [], observed: [], manifest: new Map() };

/** Arguments as a call holds them: the JSON in a text is read, a text that is none stays. */
export function parsedArguments(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** A named argument; undefined also where the arguments are no object. */
export function argument(args: unknown, name: string): unknown {
  const isObject = typeof args === 'object' && args !== null && Object.hasOwn(args, name);
  return isObject ? (args as Record<string, unknown>)[name] : undefined;
}
