import type { SummaryAnswer, SummaryRequest } from '../summarize/summarizer.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A JSON object's fields; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

/**
 * What a program wrote: text, or JSON with `summary` (text; for sections an object too) and optional `id`, `model`
 * and `usage`. JSON without `summary` is the answer itself. Throws when it holds no summary.
 */
export function readReply(output: string, request: SummaryRequest): SummaryAnswer {
  const reply = fieldsOf(parsed(output));
  if (!('summary' in reply)) return answerOf(output);
  const { summary, id, model, usage } = reply;
  const object = request.form === 'sections' && typeof summary === 'object' && summary !== null;
  const text = object ? JSON.stringify(summary) : summary;
  if (typeof text !== 'string') throw new Error('`summary` of the answer is not text');
  return answerOf(text, { id, model, usage });
}

/** An answer from its text and what came with it. Throws when the text is blank. */
export function answerOf(
  text: string,
  extra: { readonly id?: unknown; readonly model?: unknown; readonly usage?: unknown } = {},
): SummaryAnswer {
  const bare = text.trim();
  if (bare === '') throw new Error('the answer is empty');
  const { input, output } = fieldsOf(extra.usage);
  return {
    text: bare,
    ...(typeof extra.id === 'string' ? { id: extra.id } : {}),
    ...(typeof extra.model === 'string' ? { model: extra.model } : {}),
    ...(isCount(input) && isCount(output) ? { usage: { input, output } } : {}),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}
