import { type MarkerForm, markerLine } from '../marker/marker.ts';
import type { Message, OffloadMethod } from '../model/conversation.ts';
import type { Action } from '../report/report.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Outcome, Tools } from '../strategies/strategy.ts';
import { actionReason, strategyName } from './blocks.ts';
import { type GapDecision, renderRecipe } from './decision.ts';
import { eligibleGroups, gate, noteClosed } from './eligible.ts';
import { savingOf } from './gaps.ts';
import { type Host, hostOf, type Kept } from './host.ts';
import { runsOf } from './runs.ts';
import { sum, type View } from './view.ts';

export interface RemovalMethod {
  readonly method: OffloadMethod;
  readonly action: Action;
  /** Marker form and summary of one run, or the reason why the run is left. */
  readonly describe: (
    messages: readonly Message[],
    tokens: number,
    view: View,
    tools: Tools,
  ) => Described | { readonly reason: string } | Promise<Described | { readonly reason: string }>;
  /** Which of the eligible groups go; all when absent. */
  readonly select?: (groups: readonly (readonly Message[])[]) => readonly (readonly Message[])[];
}

export interface Described {
  readonly form: MarkerForm;
  readonly body?: string;
}

/** Removes the eligible messages of a `*` spec. */
export async function decideRemoval(
  view: View,
  spec: StrategySpec,
  tools: Tools,
  method: RemovalMethod,
): Promise<Outcome> {
  const { open, why } = gate(view, spec, tools);
  if (!open) {
    noteClosed(view, spec, tools);
    return { decisions: [], fired: false, why };
  }
  if (tools.removal !== true) {
    for (const message of view.messages())
      for (const block of message.blocks) view.note(block, 'no-message-removal');
    return { decisions: [], fired: false, why: `no-message-removal: ${tools.removal}` };
  }
  const groups = eligibleGroups(view, spec, tools);
  const chosen = method.select?.(groups) ?? groups;
  const names = { strategy: strategyName(spec), reason: actionReason(spec) };
  const decisions = await neededGaps(view, chosen, tools, method, names);
  const removed = sum(decisions.map((gap) => gap.messages.length));
  const eligible = sum(groups.map((group) => group.length));
  const gateText = spec.contextUtilization === undefined ? '' : `${why}; `;
  return {
    decisions,
    fired: true,
    why: `${gateText}${removed} of ${eligible} eligible messages removed`,
  };
}

/** With a budget the largest groups go until enough is free, of equal ones the oldest; without one all go. */
async function neededGaps(
  view: View,
  groups: Groups,
  tools: Tools,
  method: RemovalMethod,
  names: Names,
): Promise<GapDecision[]> {
  const { toFree } = tools;
  if (toFree === undefined) return removeGroups(view, groups, tools, method, names);
  const queue = groups
    .map((group) => ({ group, tokens: tokensIn(view, group) }))
    .toSorted((left, right) => right.tokens - left.tokens);
  const once = describedOnce(method);
  const going: (readonly Message[])[] = [];
  let gaps: GapDecision[] = [];
  for (let wanted = toFree; wanted > 0 && queue.length > 0; ) {
    for (let left = wanted; left > 0 && queue.length > 0; ) {
      const { group, tokens } = queue.shift() as (typeof queue)[number];
      going.push(group);
      left -= tokens;
    }
    gaps = await removeGroups(view, going, tools, once, names);
    wanted = toFree - sum(gaps.map((gap) => savingOf(view, gap)));
  }
  return gaps;
}

function tokensIn(view: View, group: readonly Message[]): number {
  return sum(group.flatMap(({ blocks }) => blocks.map((index) => view.tokensOf(index))));
}

/** Runs are made anew, a summary is not. */
function describedOnce(method: RemovalMethod): RemovalMethod {
  const described = new Map<string, ReturnType<RemovalMethod['describe']>>();
  return {
    ...method,
    describe: (messages, tokens, ...rest) => {
      const key = messages.map((message) => message.index).join();
      const known = described.get(key) ?? method.describe(messages, tokens, ...rest);
      described.set(key, known);
      return known;
    },
  };
}

interface Names {
  readonly strategy: string;
  readonly reason: string;
}

/**
 * One gap a contiguous run. A run that saves nothing, or whose marker has no place, stays; then the groups that
 * reach into it stay as well, and the runs are made anew.
 */
export async function removeGroups(
  view: View,
  groups: readonly (readonly Message[])[],
  tools: Tools,
  method: RemovalMethod,
  names: Names,
): Promise<GapDecision[]> {
  const once = describedOnce(method);
  for (let going = placed(view, groups, tools); ; ) {
    const kept = new Set<number>();
    const gaps: GapDecision[] = [];
    const decided = runsOf(view, going).map(async (run) => {
      const host = hostOf(view, run, tools);
      return 'keep' in host ? host : decideGap(view, run, host, tools, once, names);
    });
    for (const gap of await Promise.all(decided)) {
      if ('keep' in gap) keepThem(view, gap, kept);
      else gaps.push(gap);
    }
    if (kept.size === 0) return gaps;
    going = placed(view, without(going, kept), tools);
  }
}

type Groups = readonly (readonly Message[])[];

/** The groups that may go: the others are what keeps a place for each marker. */
function placed(view: View, groups: Groups, tools: Tools): Groups {
  let going = groups;
  for (;;) {
    const kept = new Set<number>();
    for (const run of runsOf(view, going)) {
      const host = hostOf(view, run, tools);
      if ('keep' in host) keepThem(view, host, kept);
    }
    if (kept.size === 0) return going;
    going = without(going, kept);
  }
}

function without(groups: Groups, kept: ReadonlySet<number>): Groups {
  return groups.filter((group) => !group.some((message) => kept.has(message.group)));
}

function keepThem(view: View, { keep, reason }: Kept, kept: Set<number>): void {
  for (const message of keep) {
    kept.add(message.group);
    for (const block of message.blocks) view.note(block, reason);
  }
}

async function decideGap(
  view: View,
  run: readonly Message[],
  host: Host,
  tools: Tools,
  method: RemovalMethod,
  names: Names,
): Promise<GapDecision | Kept> {
  const tokensBefore = tokensIn(view, run);
  const original = sum(
    run.flatMap((message) => message.blocks.map((block) => view.block(block).tokens)),
  );
  const described = await method.describe(run, original, view, tools);
  if ('reason' in described) return { keep: run, reason: described.reason };
  const ref = tools.gapRef(run);
  const line = markerLine({ form: described.form, tokens: original, ref, hint: tools.hint });
  const recipe = described.body === undefined ? { line } : { line, body: described.body };
  const tokensAfter = tools.meter.text(renderRecipe(recipe));
  if (tokensAfter >= tokensBefore) return { keep: unsaving(view, run), reason: 'no-saving' };
  return {
    type: 'gap',
    conversation: tools.conversation,
    messages: run.map((message) => message.index),
    method: method.method,
    action: method.action,
    ...names,
    ref,
    recipe,
    ...(host.host === undefined ? {} : { host: host.host }),
    tokensBefore: original,
    tokensAfter,
  };
}

/** Messages that this run has offloaded already are the first to stay, as they would in a run after it. */
function unsaving(view: View, run: readonly Message[]): readonly Message[] {
  const edited = run.filter((message) => message.blocks.some((block) => view.edit(block)));
  return edited.length === 0 ? run : edited;
}
