import { usageError } from '../errors.ts';
import { extractive } from '../summarize/extractive.ts';
import type { Summarizer } from '../summarize/summarizer.ts';
import { anthropic } from './anthropic.ts';
import { commandSummarizer } from './command.ts';
import { openai } from './openai.ts';
import { DEFAULT_OPTIONS, type SummarizerOptions } from './options.ts';
import { type Vendor, vendorSummarizer } from './vendor.ts';

/**
 * The summarizer that a text names: `extractive`, `command:PROGRAM ARGS`, `openai:MODEL` or `anthropic:MODEL`.
 * Nothing is run, sent or loaded before it is asked. Throws a usage error for any other text.
 */
export function chooseSummarizer(
  text: string,
  options: Partial<SummarizerOptions>,
  env: NodeJS.ProcessEnv,
): Summarizer {
  if (text === extractive.name) return extractive;
  const [, kind = '', rest = ''] = /^([a-z]+):(.*)$/s.exec(text) ?? [];
  const make = KINDS.get(kind);
  if (make === undefined)
    throw usageError(`--summarizer: unknown summarizer ${clip(text)}`, ACCEPTED);
  return make(rest, { ...DEFAULT_OPTIONS, ...options }, env);
}

type Make = (rest: string, options: SummarizerOptions, env: NodeJS.ProcessEnv) => Summarizer;

const KINDS: ReadonlyMap<string, Make> = new Map([
  ['command', commandSummarizer],
  ['openai', asking(openai)],
  ['anthropic', asking(anthropic)],
]);

const ACCEPTED = "write extractive, 'command:PROGRAM ARGS', openai:MODEL or anthropic:MODEL";

function asking(vendor: Vendor): Make {
  return (rest, options, env) => {
    const model = rest.trim();
    if (model === '') throw usageError(`--summarizer ${vendor.kind}: without a model`, ACCEPTED);
    return vendorSummarizer(vendor, model, options, env);
  };
}

/** A mistyped command line may be long, and may hold a secret. */
function clip(text: string): string {
  return JSON.stringify(text.length <= 20 ? text : `${text.slice(0, 20)}…`);
}
