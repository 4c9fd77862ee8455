import { capsuleBody } from '../marker/capsule.ts';
import { plural } from '../marker/marker.ts';
import { askSections } from '../masking/capsule.ts';
import { Examiner, pairReason } from '../masking/examiner.ts';
import { type Group, groupsOf } from '../masking/groups.ts';
import { singleTurnHint } from '../masking/hint.ts';
import { noopOf, type Survey, survey } from '../masking/survey.ts';
import { costOf } from '../masking/units.ts';
import type { Message } from '../model/conversation.ts';
import { strategyName } from '../plan/blocks.ts';
import type { GapDecision } from '../plan/decision.ts';
import { eligibleGroups } from '../plan/eligible.ts';
import { clusters, savingOf } from '../plan/gaps.ts';
import { type Described, type RemovalMethod, removeGroups } from '../plan/removal.ts';
import { sum, type View } from '../plan/view.ts';
import type { StepFacts } from '../report/report.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Asking } from '../summarize/helper.ts';
import { SECTIONS, type Sections } from '../summarize/sections.ts';
import { maskUnits } from './mask.ts';
import type { Outcome, Strategy, Tools } from './strategy.ts';

/** Native history: older runs of the conversation, user text and settled actions too, become capsules. */
export const nativeHistory: Strategy = {
  method: 'native-history',
  destructive: 8,
  async decide(view, spec, tools) {
    const seen = survey(view, spec, tools);
    if (typeof seen === 'string')
      return { decisions: [], fired: false, why: seen, facts: { noop: seen } };
    if (tools.removal !== true) {
      for (const { index } of view.conversation.blocks) view.note(index, 'no-message-removal');
      const why = `no-message-removal: ${tools.removal}`;
      return { decisions: [], fired: false, why, facts: { noop: 'no-message-removal' } };
    }
    return new History(view, spec, tools, seen).decide();
  },
};

class History {
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
    const { skipped, policy } = this.#seen;
    const groups = this.#settled();
    const gaps = this.#tools.helper.permitted ? await this.#remove(groups) : this.#withheld();
    const worthwhile = clusters(this.#view, gaps)
      .filter((cluster) => this.#isWorth(cluster))
      .flat();
    const masks = this.#fallback === null ? [] : await this.#masks(worthwhile);
    const decisions = [...worthwhile, ...masks];
    const noop = decisions.length > 0 ? null : noopOf(skipped, 'nothing-settled');
    if (noop !== null)
      for (const warning of singleTurnHint(skipped, groups.length)) this.#tools.warn(warning);
    const removed = sum(worthwhile.map(({ messages }) => messages.length));
    return {
      decisions,
      fired: true,
      why: `${plural(removed, 'message')} to ${plural(worthwhile.length, 'capsule')}, ${policy.maxSummaryTokens} tokens at most for each ${policy.maxSourceTokens} of source`,
      facts: {
        passes: worthwhile.length,
        skipped: Object.fromEntries(skipped),
        noop,
        fallback: this.#fallback,
        helper: this.#tools.helper.external ? this.#asking.report() : null,
      },
    };
  }

  /** Older groups without a call that is still open or whose end is unknown. */
  #settled(): Message[][] {
    const { tail, policy, skipped } = this.#seen;
    const examiner = new Examiner(this.#view, policy, tail, this.#tools);
    const groups = groupsOf(this.#view);
    return eligibleGroups(this.#view, ANY_MESSAGE, this.#tools).filter((messages) => {
      const own = new Set(messages.flatMap(({ group }) => groups.get(group) ?? []));
      const reason =
        messages.map(({ index }) => tail.kept.get(index)).find((found) => found !== undefined) ??
        [...own].map((group) => openReason(group, examiner)).find((found) => found !== undefined) ??
        this.#capacityReason(messages);
      if (reason === undefined) return true;
      skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
      for (const { blocks } of messages) for (const index of blocks) this.#view.note(index, reason);
      return false;
    });
  }

  #capacityReason(messages: readonly Message[]): string | undefined {
    const { maxSourceTokens } = this.#seen.policy;
    const fits = maxSourceTokens === 'none' || costOf(this.#view, messages) <= maxSourceTokens;
    return fits ? undefined : 'source-capacity';
  }

  #remove(groups: readonly (readonly Message[])[]): Promise<GapDecision[]> {
    const method: RemovalMethod = {
      method: 'summarize',
      action: 'summarized',
      describe: (run) => this.#describe(run),
    };
    const names = { strategy: strategyName(this.#spec), reason: 'settled-history' };
    return removeGroups(this.#view, groups, this.#tools, method, names);
  }

  /** One capsule a run; a run larger than the allowance is summarized in parts. */
  async #describe(run: readonly Message[]): Promise<Described | { reason: string }> {
    const form = { type: 'summarized-messages', messages: run.length } as const;
    if (this.#tools.helper.preview) return { form, body: capsuleBody(joined([])) };
    const { policy } = this.#seen;
    const asked = this.#parts(run).map((part) =>
      askSections(part, this.#spec, policy, this.#tools, this.#asking),
    );
    const answers = await Promise.all(asked);
    const sections: Sections[] = [];
    for (const answer of answers) {
      if (!('failed' in answer)) {
        sections.push(answer);
        continue;
      }
      this.#tools.warn({ code: 'summary-failed', text: answer.failed });
      if (answer.fallback) this.#fallback = 'mask';
      return { reason: 'summary-failed' };
    }
    return { form, body: capsuleBody(joined(sections)) };
  }

  #parts(run: readonly Message[]): Message[][] {
    const { maxSourceTokens } = this.#seen.policy;
    const parts: Message[][] = [];
    let room = 0;
    for (const message of run) {
      const cost = costOf(this.#view, [message]);
      if (parts.length === 0 || (maxSourceTokens !== 'none' && cost > room)) {
        parts.push([]);
        room = maxSourceTokens === 'none' ? 0 : maxSourceTokens;
      }
      parts.at(-1)?.push(message);
      room -= cost;
    }
    return parts;
  }

  #isWorth(cluster: readonly GapDecision[]): boolean {
    const saved = sum(cluster.map((gap) => savingOf(this.#view, gap)));
    if (saved >= this.#seen.policy.minTokensSaved) return true;
    for (const message of cluster.flatMap((gap) => gap.messages))
      for (const block of this.#view.message(message).blocks)
        this.#view.note(block, 'below-min-saving');
    return false;
  }

  #withheld(): GapDecision[] {
    this.#fallback = 'mask';
    this.#tools.warn({
      code: 'transfer-not-allowed',
      text: `${this.#tools.helper.name} was not asked: --allow-transfer lets the texts leave; masking alone took its place`,
    });
    return [];
  }

  /** Masks what was not summarized. */
  async #masks(gaps: readonly GapDecision[]): Promise<Outcome['decisions']> {
    const gone = new Set(gaps.flatMap(({ messages }) => messages));
    const units = await maskUnits(this.#view, this.#spec, this.#tools, this.#seen);
    return units
      .filter(({ messages }) => !messages.some(({ index }) => gone.has(index)))
      .flatMap(({ edits }) => edits);
  }
}

const ANY_MESSAGE: StrategySpec = { method: 'drop', target: { type: '*' } };

/** A group with a call that has no single, settled answer is exact. */
function openReason(group: Group, examiner: Examiner): string | undefined {
  if (examiner.isPending(group)) return 'pending-in-group';
  for (const results of group.results.values()) {
    for (const block of results) {
      const [call] = group.calls.get(block.callId ?? '') ?? [];
      const unpaired = pairReason(block, group);
      if (unpaired !== undefined) return unpaired;
      if (call !== undefined && examiner.ending(block, call) !== 'settled')
        return 'unknown-completion';
    }
  }
  return undefined;
}

/** Sections of several parts, in order. */
function joined(parts: readonly Sections[]): Sections {
  return Object.fromEntries(
    SECTIONS.map((name) => [name, parts.flatMap((sections) => sections[name])]),
  ) as unknown as Sections;
}
