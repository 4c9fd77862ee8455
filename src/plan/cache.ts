import type { Price } from '../measure/prices.ts';
import type { CacheReport } from '../report/report.ts';
import type { Decision } from './decision.ts';
import { sum, type View } from './view.ts';

/**
 * What a plan does to a prompt cache: everything from the first changed message on has to be sent anew. With prices:
 * what the next request costs as it is and after, both with a cache that still holds the session and without, and
 * after how many requests the compaction has paid for itself. Null when nothing that is sent changes, or that of several
 * conversations.
 */
export function cacheEffect(views: readonly View[], price: Price | undefined): CacheReport | null {
  const changed = views.flatMap((view) => {
    const first = firstChanged(view);
    return first === undefined ? [] : [{ view, first }];
  });
  const [only, another] = changed;
  // Conversations of a dataset have a cache each: one figure would be wrong for all.
  if (only === undefined || another !== undefined) return null;
  const { view, first } = only;
  const prefix = prefixTokens(view, first);
  const before = originalTokens(view);
  return {
    firstChangedMessage: view.message(first).number,
    keptPrefix: prefix,
    invalidated: before - prefix,
    cost: price === undefined ? null : costs(price, { before, after: view.tokens, prefix }),
  };
}

function costs(
  price: Price,
  { before, after, prefix }: { before: number; after: number; prefix: number },
): CacheReport['cost'] {
  const warm = {
    before: price({ cached: before }),
    first: price({ cached: prefix, written: Math.max(0, after - prefix) }),
    later: price({ cached: after }),
  };
  const gain = warm.before - warm.later;
  const loss = warm.first - warm.later;
  return {
    warm,
    cold: {
      before: price({ plain: before }),
      after: price({ plain: after }),
    },
    turnsToPay: gain <= 0 ? null : Math.max(1, Math.ceil(loss / gain)),
  };
}

function firstChanged(view: View): number | undefined {
  const places = view.decisions.flatMap((decision) => placeOf(view, decision));
  return places.length === 0 ? undefined : places.reduce((first, place) => Math.min(first, place));
}

/** Message in which a decision changes what is sent; none for a copy. */
function placeOf(view: View, decision: Decision): number[] {
  if (decision.type === 'gap') return decision.messages.slice(0, 1);
  if (decision.type === 'capsule') return [decision.before, ...decision.merged];
  const { block } = decision;
  if (block === undefined) return [];
  const { message } = view.block(block);
  return view.message(message).live ? [message] : [];
}

function prefixTokens(view: View, first: number): number {
  const live = view.conversation.messages.filter(
    (message) => message.live && message.index < first,
  );
  return view.conversation.overhead + tokensIn(view, live);
}

function originalTokens(view: View): number {
  const live = view.conversation.messages.filter((message) => message.live);
  return view.conversation.overhead + tokensIn(view, live);
}

function tokensIn(view: View, messages: readonly { blocks: readonly number[] }[]): number {
  return sum(messages.flatMap(({ blocks }) => blocks.map((index) => view.block(index).tokens)));
}
