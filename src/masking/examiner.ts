import { completionOf } from '../effects/completion.ts';
import { effectOf } from '../effects/effect.ts';
import type { Block } from '../model/conversation.ts';
import type { View } from '../plan/view.ts';
import type { Tools } from '../strategies/strategy.ts';
import type { Group } from './groups.ts';
import type { Policy } from './policy.ts';
import type { Tail } from './tail.ts';

type Verdict = ReturnType<typeof effectOf>;
type Ending = ReturnType<typeof completionOf>;

const MEDIA: ReadonlySet<string> = new Set(['image', 'document', 'video', 'audio']);
const EFFECT_REASONS: Readonly<Record<Verdict['effect'], string | undefined>> = {
  read: undefined,
  write: 'write-effect',
  unknown: 'unknown-effect',
};
const ENDING_REASONS: Readonly<Record<Ending, string | undefined>> = {
  settled: undefined,
  pending: 'pending',
  unknown: 'unknown-completion',
};

/** What is known of calls and results, read once each. */
export class Examiner {
  readonly #view: View;
  readonly #policy: Policy;
  readonly #tail: Tail;
  readonly #tools: Tools;
  readonly #effects = new Map<number, Verdict>();
  readonly #endings = new Map<number, Ending>();
  readonly #pending = new Map<Group, boolean>();

  constructor(view: View, policy: Policy, tail: Tail, tools: Tools) {
    this.#view = view;
    this.#policy = policy;
    this.#tail = tail;
    this.#tools = tools;
  }

  /**
   * Why a result body is left as it is: the first rule that fails (masking and summary, section 3.2). That the body
   * still equals what was stored is no rule here: a ref is the hash of the bytes.
   */
  reason(block: Block, group: Group): string | undefined {
    return (
      this.#placeholderReason(block) ??
      pairReason(block, group) ??
      this.#callReason(block, group) ??
      (block.isError === true && !this.#policy.maskErrors ? 'failed-read' : undefined) ??
      (this.isPending(group) ? 'pending-in-group' : undefined) ??
      (isMultimodal(group) ? 'multimodal' : undefined) ??
      (block.signed || block.shape === undefined ? 'opaque' : undefined) ??
      this.#strictReason(group) ??
      this.#tail.kept.get(block.message) ??
      this.#guardReason(block)
    );
  }

  /** Whether a call of the group has no answer, or one that is still to come: then the group is exact. */
  isPending(group: Group): boolean {
    const known = this.#pending.get(group);
    if (known !== undefined) return known;
    const pending = [...group.calls].some(([id, [call]]) => {
      const [result] = group.results.get(id) ?? [];
      return call === undefined || result === undefined || this.ending(result, call) === 'pending';
    });
    this.#pending.set(group, pending);
    return pending;
  }

  effect(call: Block): Verdict {
    const known = this.#effects.get(call.index);
    if (known !== undefined) return known;
    const verdict = effectOf(this.#tools.call(call), this.#tools.effects);
    this.#effects.set(call.index, verdict);
    return verdict;
  }

  /** How a call ended, by its arguments and by what the client wrote into the result. */
  ending(result: Block, call: Block): Ending {
    const known = this.#endings.get(result.index);
    if (known !== undefined) return known;
    // The marker of an earlier run stands where the answer was: it was settled then.
    const readable = result.shape !== undefined && result.placeholder === undefined;
    const text = readable ? this.#tools.content(result, 'text').content.text : '';
    const failed = result.isError === undefined ? {} : { isError: result.isError };
    const ending = completionOf(this.#tools.call(call), { text, ...failed });
    this.#endings.set(result.index, ending);
    return ending;
  }

  #guardReason(block: Block): string | undefined {
    const guarded = this.#tools.guard(block);
    if (guarded !== undefined) this.#view.note(block.index, guarded.reason, guarded.rule);
    return guarded?.reason;
  }

  #placeholderReason({ index, placeholder }: Block): string | undefined {
    const method = placeholder?.method ?? this.#view.edit(index)?.method;
    if (method === undefined) return undefined;
    return method === 'mask' ? 'already-masked' : 'already-offloaded';
  }

  #callReason(block: Block, group: Group): string | undefined {
    const [call] = group.calls.get(block.callId ?? '') ?? [];
    if (call === undefined) return 'unmatched';
    return EFFECT_REASONS[this.effect(call).effect] ?? ENDING_REASONS[this.ending(block, call)];
  }

  #strictReason(group: Group): string | undefined {
    if (this.#policy.strictSignatures && group.blocks.some((block) => block.signed))
      return 'signed';
    const mixed =
      this.#policy.groupMixedEffect === 'protect' &&
      [...group.calls.values()].flat().some((call) => this.effect(call).effect !== 'read');
    return mixed ? 'mixed-effect' : undefined;
  }
}

/** Exactly one call of the same id, before its only result. */
export function pairReason(block: Block, group: Group): string | undefined {
  const id = block.callId ?? '';
  const calls = group.calls.get(id) ?? [];
  if (calls.length > 1 || (group.results.get(id)?.length ?? 0) > 1) return 'duplicate-id';
  const [call] = calls;
  return call === undefined || call.index > block.index || id === '' ? 'unmatched' : undefined;
}

function isMultimodal(group: Group): boolean {
  // A picture that an earlier run offloaded still is one: a second run must not reach further.
  return group.blocks.some(
    ({ kind, media, placeholder }) =>
      MEDIA.has(kind) || media.length > 0 || MEDIA.has(placeholder?.kind ?? ''),
  );
}
