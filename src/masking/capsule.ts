import { CtxError, EXIT } from '../errors.ts';
import { capsuleBody, carriedRefs } from '../marker/capsule.ts';
import { markerLine } from '../marker/marker.ts';
import type { Message } from '../model/conversation.ts';
import { strategyName } from '../plan/blocks.ts';
import { type CapsuleDecision, renderRecipe } from '../plan/decision.ts';
import type { Host } from '../plan/host.ts';
import { sum, type View } from '../plan/view.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Tools } from '../strategies/strategy.ts';
import type { Asking } from '../summarize/helper.ts';
import { readSections, SECTIONS, type Sections } from '../summarize/sections.ts';
import type { SummaryRequest } from '../summarize/summarizer.ts';
import type { Policy } from './policy.ts';

export const NO_SECTIONS: Sections = Object.fromEntries(
  SECTIONS.map((name) => [name, []]),
) as unknown as Sections;

/** Where a capsule goes, and the earlier capsules that it takes up. */
export interface CapsulePlace extends Host {
  readonly before: Message;
  readonly merged: readonly Message[];
}

/** The decision that archives a source under a ref and adds its capsule before the tail. */
export function capsuleOf(
  view: View,
  spec: StrategySpec,
  tools: Tools,
  messages: readonly Message[],
  place: CapsulePlace,
  sections: Sections,
): CapsuleDecision {
  const source = [...messages, ...place.merged].toSorted((a, b) => a.index - b.index);
  const tokens = sum(
    source.flatMap(({ blocks }) => blocks.map((index) => view.block(index).tokens)),
  );
  const ref = tools.gapRef(source);
  const form = { type: 'capsule', messages: source.length } as const;
  const refs = place.merged.flatMap((message) => [
    ...(message.gap === undefined ? [] : [message.gap.ref]),
    ...tools.items([message]).flatMap(({ text }) => carriedRefs(text)),
  ]);
  const recipe = {
    line: markerLine({ form, tokens, ref, hint: tools.hint }),
    body: capsuleBody(sections, [...new Set(refs)]),
  };
  return {
    type: 'capsule',
    conversation: tools.conversation,
    source: source.map(({ index }) => index),
    merged: place.merged.map(({ index }) => index),
    before: place.before.index,
    method: 'capsule',
    action: 'summarized',
    strategy: strategyName(spec),
    reason: 'capsule',
    ref,
    recipe,
    ...(place.host === undefined ? {} : { host: place.host }),
    tokensBefore: tokens,
    tokensAfter: tools.meter.text(renderRecipe(recipe)),
  };
}

/** Why a summary was not used, and whether masking may take its place. */
export interface SummaryFailure {
  readonly failed: string;
  readonly fallback: boolean;
}

/**
 * Asks for the sections of a source, with one repair where the helper allows it (section 4.6). A deadline leaves
 * everything as it is; any other failure may fall back to masking.
 * @throws CtxError with exit 130 when interrupted, and with exit 7 when the spec has `fallback=error`.
 */
export async function askSections(
  messages: readonly Message[],
  spec: StrategySpec,
  policy: Policy,
  tools: Tools,
  asking: Asking,
): Promise<Sections | SummaryFailure> {
  const items = tools.items(messages);
  const sourceRef = tools.gapRef(messages);
  const ids = new Set([sourceRef, ...items.flatMap(({ id }) => id ?? [])]);
  const limits = { ids, maxTokens: policy.maxSummaryTokens, count: tools.meter.text };
  const first: SummaryRequest = {
    items,
    form: 'sections',
    maxTokens: policy.maxSummaryTokens,
    count: tools.meter.text,
    sourceRef,
  };
  let request = first;
  for (let repairs = spec.repair ?? tools.helper.repairs; ; repairs -= 1) {
    const read: { sections?: Sections } = {};
    let answered = '';
    try {
      await asking.ask(request, {
        timeoutMs: spec.timeoutMs,
        accept: ({ text }) => {
          answered = text;
          const sections = readSections(text, limits);
          if (typeof sections === 'string') throw new BadAnswer(sections);
          read.sections = sections;
        },
      });
      return read.sections as Sections;
    } catch (cause) {
      if (cause instanceof BadAnswer && repairs > 0) {
        request = { ...first, repair: { answer: answered, problem: cause.message } };
        continue;
      }
      return failure(cause, policy, tools);
    }
  }
}

/** An answer that breaks the schema: it may be repaired, unlike a call that failed. */
class BadAnswer extends Error {}

function failure(cause: unknown, policy: Policy, tools: Tools): SummaryFailure {
  if (cause instanceof CtxError) throw cause;
  const { name, message } = cause as Error;
  const late = name === 'TimeoutError';
  const failed = `${tools.helper.name}: ${message}`;
  if (policy.fallback === 'error' && !late) {
    throw new CtxError('summarizer-failed', EXIT.summarizer, `the summary failed: ${failed}`, {
      hint: 'fallback=mask masks what could not be summarized; nothing was written',
    });
  }
  return { failed, fallback: !late };
}
