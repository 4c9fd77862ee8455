import { append } from '../append.ts';
import { gated, isIntact, replaceTaken, type Taken } from '../cleaning/replace.ts';
import { completionOf } from '../effects/completion.ts';
import { type FileUse, filesOf, isFileTool } from '../effects/files.ts';
import { plural } from '../marker/marker.ts';
import { groupsOf } from '../masking/groups.ts';
import type { Block } from '../model/conversation.ts';
import type { View } from '../plan/view.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Outcome, Strategy, Tools } from './strategy.ts';

/**
 * Reads of a file whose content a later successful write or edit replaced, or a later read of the same part: the
 * newest state of each file stays. Failed and open calls prove nothing.
 */
export const supersededReads: Strategy = {
  method: 'superseded-reads',
  destructive: 2,
  last: true,
  decide: (view, spec, tools) => gated(view, spec, tools, () => dropSuperseded(view, spec, tools)),
};

async function dropSuperseded(view: View, spec: StrategySpec, tools: Tools): Promise<Outcome> {
  const taken = superseded(view, fileEvents(view, tools));
  const decisions = await replaceTaken(view, spec, tools, taken, {
    action: 'dropped',
    reason: 'superseded',
  });
  return {
    decisions,
    fired: true,
    why: `${decisions.length} of ${plural(taken.length, 'superseded read')} replaced`,
  };
}

interface FileEvent extends FileUse {
  readonly result: Block;
}

/** Successful uses of files, in the order of their results. */
function fileEvents(view: View, tools: Tools): FileEvent[] {
  const events: FileEvent[] = [];
  for (const group of groupsOf(view).values()) {
    for (const [id, [call]] of group.calls) {
      const [result, ...others] = group.results.get(id) ?? [];
      if (call === undefined || result === undefined || others.length > 0) continue;
      if (!isFileTool(call.tool ?? '') || result.isError === true) continue;
      const made = tools.call(call);
      const uses = filesOf(made);
      if (uses.length === 0 || !isSettled(result, made, tools)) continue;
      append(
        events,
        uses.map((use) => ({ ...use, result })),
      );
    }
  }
  return events.toSorted((left, right) => left.result.index - right.result.index);
}

function isSettled(result: Block, call: ReturnType<Tools['call']>, tools: Tools): boolean {
  if (result.shape === undefined || result.placeholder !== undefined) return true;
  const { text } = tools.content(result, 'text').content;
  const failed = result.isError === undefined ? {} : { isError: result.isError };
  return completionOf(call, { text, ...failed }) === 'settled';
}

/** Walks backwards: what comes later is known when an earlier read is looked at. */
function superseded(view: View, events: readonly FileEvent[]): Taken[] {
  const written = new Set<string>();
  const whole = new Set<string>();
  const parts = new Set<string>();
  const taken: Taken[] = [];
  for (const { path, action, range, result } of events.toReversed()) {
    if (action !== 'read') {
      written.add(path);
      continue;
    }
    const by = written.has(path)
      ? 'written'
      : whole.has(path) || parts.has(`${path} ${range}`)
        ? 'read again'
        : undefined;
    if (by !== undefined && isIntact(view, result)) {
      taken.push({ block: result, form: { type: 'superseded', path, by } });
      continue;
    }
    // Only a read that is still here can stand for an earlier one.
    if (!isIntact(view, result)) continue;
    if (range === '') whole.add(path);
    else parts.add(`${path} ${range}`);
  }
  return taken.toReversed();
}
