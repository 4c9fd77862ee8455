import { append } from '../append.ts';
import { plural } from '../marker/marker.ts';
import {
  askSections,
  type CapsulePlace,
  capsuleOf,
  NO_SECTIONS,
  type SummaryFailure,
} from '../masking/capsule.ts';
import { singleTurnHint } from '../masking/hint.ts';
import { narrationUnits } from '../masking/narration.ts';
import { takeUnits } from '../masking/passes.ts';
import { noopOf, type Survey, survey } from '../masking/survey.ts';
import { savingOf, type Unit } from '../masking/units.ts';
import type { Decision } from '../plan/decision.ts';
import { hostBefore } from '../plan/host.ts';
import type { View } from '../plan/view.ts';
import type { StepFacts } from '../report/report.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Asking } from '../summarize/helper.ts';
import { maskUnits } from './mask.ts';
import type { Outcome, Strategy, Tools } from './strategy.ts';

/** Structured summary: masks older reads, takes older narration out, and says in a capsule what both said. */
export const structuredSummary: Strategy = {
  method: 'structured-summary',
  destructive: 5,
  async decide(view, spec, tools) {
    const seen = survey(view, spec, tools);
    if (typeof seen === 'string')
      return { decisions: [], fired: false, why: seen, facts: { noop: seen } };
    return new Summary(view, spec, tools, seen).decide();
  },
};

/** What one pass came to. */
interface Pass {
  readonly decisions: readonly Decision[];
  readonly saved: number;
  /** Units that are not tried again. */
  readonly done: readonly Unit[];
}

class Summary {
  readonly #view: View;
  readonly #spec: StrategySpec;
  readonly #tools: Tools;
  readonly #seen: Survey;
  readonly #asking: Asking;
  #fallback: StepFacts['fallback'] = null;

  constructor(view: View, spec: StrategySpec, tools: Tools, seen: Survey) {
    this.#view = view;
    this.#spec = spec;
    this.#tools = tools;
    this.#seen = seen;
    this.#asking = tools.helper.open();
  }

  async decide(): Promise<Outcome> {
    const { policy, tail, found, skipped } = this.#seen;
    for (const warning of singleTurnHint(skipped, found.length)) this.#tools.warn(warning);
    const masks = await maskUnits(this.#view, this.#spec, this.#tools, this.#seen);
    const told = await narrationUnits(this.#view, this.#spec, policy, tail, this.#tools);
    const units = [...masks, ...told.filter(({ cost }) => fits(cost, policy.maxSourceTokens))];
    const ordered = units.toSorted((a, b) => firstOf(a) - firstOf(b));
    const { decisions, passes } = await this.#passes(ordered);
    const noop =
      decisions.length > 0
        ? null
        : noopOf(skipped, units.length > 0 ? 'min-tokens-saved' : 'no-observations');
    return {
      decisions,
      fired: true,
      why: `${plural(passes, 'pass', 'passes')}${noop === null ? '' : ` (${noop})`}`,
      facts: {
        passes,
        skipped: Object.fromEntries(skipped),
        noop,
        fallback: this.#fallback,
        helper: this.#tools.helper.external ? this.#asking.report() : null,
      },
    };
  }

  async #passes(units: readonly Unit[]): Promise<{ decisions: Decision[]; passes: number }> {
    const { policy } = this.#seen;
    const most = policy.passes === 'auto' ? Number.POSITIVE_INFINITY : policy.passes;
    const decisions: Decision[] = [];
    let { toFree } = this.#seen;
    let left = units;
    let merged = policy.mergeCapsules ? this.#earlier() : [];
    let passes = 0;
    for (let tried = 0; tried < most && toFree > 0; tried += 1) {
      const taken = takeUnits(left, { maxSourceTokens: policy.maxSourceTokens, toFree });
      if (taken.length === 0) break;
      const pass = await this.#pass(taken, merged);
      if (pass === undefined) break;
      if (pass.decisions.length > 0) passes += 1;
      if (pass.decisions.some(({ type }) => type === 'capsule')) merged = [];
      append(decisions, pass.decisions);
      toFree -= pass.saved;
      const gone = new Set(pass.done.map(({ edits }) => edits[0]?.block));
      left = left.filter(({ edits }) => !gone.has(edits[0]?.block));
    }
    return { decisions, passes };
  }

  /** One transaction; undefined when nothing that is left is worth one. */
  async #pass(taken: readonly Unit[], merged: CapsulePlace['merged']): Promise<Pass | undefined> {
    const { minTokensSaved } = this.#seen.policy;
    const least = Math.max(1, minTokensSaved);
    const place = this.#place(merged);
    const messages = taken.flatMap((unit) => unit.messages);
    const edits = taken.flatMap((unit) => unit.edits);
    const saving = savingOf(taken) + this.#savingOfMerged(merged);
    const frame =
      place === undefined
        ? undefined
        : capsuleOf(this.#view, this.#spec, this.#tools, messages, place, NO_SECTIONS);
    if (place === undefined || frame === undefined || saving - frame.tokensAfter < least)
      return this.#masksOnly(taken);
    if (!this.#tools.helper.permitted) return this.#withheld(taken);
    if (this.#tools.helper.preview)
      return { decisions: [...edits, frame], saved: saving - frame.tokensAfter, done: taken };
    const { policy } = this.#seen;
    const answer = await askSections(
      [...messages, ...merged],
      this.#spec,
      policy,
      this.#tools,
      this.#asking,
    );
    if ('failed' in answer) return this.#failed(answer, taken);
    const capsule = capsuleOf(this.#view, this.#spec, this.#tools, messages, place, answer);
    const saved = saving - capsule.tokensAfter;
    if (saved >= least) return { decisions: [...edits, capsule], saved, done: taken };
    this.#fallback = 'mask';
    return this.#masksOnly(taken);
  }

  /** The capsule stands directly before the tail. */
  #place(merged: CapsulePlace['merged']): CapsulePlace | undefined {
    const { start } = this.#seen.tail;
    const before = this.#view
      .messages()
      .find(({ index, injected, gap }) => index >= start && !injected && gap === undefined);
    const host = before === undefined ? undefined : hostBefore(this.#view, before, this.#tools);
    return before === undefined || host === undefined ? undefined : { ...host, before, merged };
  }

  /** Capsules of earlier runs that are messages of their own, and that nothing protects. */
  #earlier(): CapsulePlace['merged'] {
    return this.#view
      .messages()
      .filter(({ gap, blocks }) => gap?.kind === 'source' && !blocks.some(this.#isGuarded));
  }

  readonly #isGuarded = (index: number): boolean => {
    const guarded = this.#tools.guard(this.#view.block(index));
    if (guarded !== undefined) this.#view.note(index, guarded.reason, guarded.rule);
    return guarded !== undefined;
  };

  #savingOfMerged(merged: CapsulePlace['merged']): number {
    return merged
      .flatMap(({ blocks }) => blocks.map((index) => this.#view.block(index).tokens))
      .reduce((total, tokens) => total + tokens, 0);
  }

  #masksOnly(taken: readonly Unit[]): Pass | undefined {
    const masks = taken.filter(({ kind }) => kind === 'observation');
    const saved = savingOf(masks);
    if (masks.length === 0 || saved < this.#seen.policy.minTokensSaved) return undefined;
    return { decisions: masks.flatMap(({ edits }) => edits), saved, done: masks };
  }

  #withheld(taken: readonly Unit[]): Pass {
    if (this.#fallback === null) {
      this.#tools.warn({
        code: 'transfer-not-allowed',
        text: `${this.#tools.helper.name} was not asked: --allow-transfer lets the texts leave; masking alone took its place`,
      });
    }
    return this.#instead(taken);
  }

  #failed({ failed, fallback }: SummaryFailure, taken: readonly Unit[]): Pass {
    this.#tools.warn({ code: 'summary-failed', text: failed });
    return fallback ? this.#instead(taken) : { decisions: [], saved: 0, done: taken };
  }

  /** Masks of the same source; its narration stays. */
  #instead(taken: readonly Unit[]): Pass {
    this.#fallback = 'mask';
    const { decisions, saved } = this.#masksOnly(taken) ?? { decisions: [], saved: 0 };
    return { decisions, saved, done: taken };
  }
}

function fits(cost: number, most: number | 'none'): boolean {
  return most === 'none' || cost <= most;
}

function firstOf({ messages }: Unit): number {
  return messages[0]?.index ?? 0;
}
