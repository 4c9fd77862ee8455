import { usageError } from '../errors.ts';
import { arrayAt, isObject, type Json, objectAt, stringAt, valueAt } from '../formats/value.ts';
import { COUNTER_NAMES, type CounterName } from '../measure/counter.ts';
import type { Action, BlockRow } from '../report/report.ts';
import { formatSpec } from '../specs/format.ts';
import { METHODS } from '../specs/methods.ts';
import { parseSpec } from '../specs/parse.ts';
import type { Method, StrategySpec } from '../specs/spec.ts';
import { MANUAL_ACTIONS, type ManualPlan } from './manual.ts';
import { manualKey } from './manual-key.ts';

/** A plan on disk, schema `ctx.plan/1`: what to do with every block of one file, to be read, edited and applied. */
export interface PlanFile {
  readonly schema: 'ctx.plan/1';
  readonly input: { readonly path: string; readonly sha256: string; readonly bytes: number };
  readonly format: string;
  readonly counter: string;
  readonly window: number;
  /** The steps that made it, as method and spec. */
  readonly steps: readonly (readonly [method: string, spec: string])[];
  readonly emergency: boolean;
  readonly protectEnds: boolean;
  /** Other flags that shaped it, by their names in camel case. */
  readonly flags: Json;
  readonly tokens: { readonly before: number; readonly after: number };
  readonly entries: readonly PlanEntry[];
}

/** One block. `action` may be edited, `planned` says what the steps decided. */
export interface PlanEntry extends Omit<BlockRow, 'index' | 'action'> {
  readonly block: number;
  readonly action: Action;
  readonly planned: Action;
}

/** What an edited plan asks for. */
export interface PlannedRun {
  readonly sha256: string;
  readonly specs: readonly StrategySpec[];
  readonly emergency: boolean;
  readonly protectEnds: boolean;
  readonly counter: CounterName;
  readonly window: number;
  readonly flags: Json;
  readonly manual: ManualPlan;
  /** What every block should end as, by the keys of the manual plan. */
  readonly actions: ReadonlyMap<string, Action>;
}

export function planSteps(specs: readonly StrategySpec[]): PlanFile['steps'] {
  return specs.map((spec) => [spec.method, formatSpec(spec)] as const);
}

export function planEntries(
  rows: readonly BlockRow[],
  planned: readonly BlockRow[] = rows,
): PlanEntry[] {
  const before = new Map(
    planned.map((row) => [manualKey(row.conversation, row.index), row.action]),
  );
  // Copies and repeated records follow from the steps; they are nothing to choose.
  return rows
    .filter(({ kind, reason }) => kind !== 'copy' && kind !== 'record' && reason !== 'capsule')
    .map(({ index, action, ...row }) => ({
      block: index,
      action,
      planned: before.get(manualKey(row.conversation, index)) ?? action,
      ...row,
    }));
}

/**
 * Reads a plan.
 * @throws CtxError with exit 2: another schema, a step that can't be read, an action that can't be planned.
 */
export function readPlan(value: unknown): PlannedRun {
  const sha256 = stringAt(value, 'input', 'sha256');
  const entries = arrayAt(value, 'entries');
  const steps = arrayAt(value, 'steps');
  const schema = stringAt(value, 'schema');
  if (schema !== 'ctx.plan/1' || !isObject(value))
    throw usageError(
      'the plan is not of the schema ctx.plan/1',
      'make one with ctx explain FILE --plan-out plan.json',
    );
  if (
    sha256 === undefined ||
    entries === undefined ||
    steps === undefined ||
    objectAt(value, 'tokens') === undefined
  )
    throw usageError(
      'the plan has no input, steps or entries',
      'make a new one with ctx explain FILE --plan-out plan.json',
    );
  const window = valueAt(value, 'window');
  const counter = stringAt(value, 'counter');
  if (!COUNTER_NAMES.some((name) => name === counter))
    throw usageError(
      'the plan names no counter that there is',
      `leave it as it was written: ${COUNTER_NAMES.join(', ')}`,
    );
  if (typeof window !== 'number' || !(window > 0 && Number.isSafeInteger(window)))
    throw usageError('the window of the plan is no number of tokens', 'leave it as it was written');
  return {
    sha256,
    specs: steps.map(readStep),
    emergency: valueAt(value, 'emergency') === true,
    protectEnds: valueAt(value, 'protectEnds') !== false,
    counter: counter as CounterName,
    window,
    flags: objectAt(value, 'flags') ?? {},
    ...readEntries(entries),
  };
}

function readStep(step: unknown): StrategySpec {
  const [method, spec] = Array.isArray(step) ? (step as unknown[]) : [];
  if (typeof method !== 'string' || typeof spec !== 'string' || !Object.hasOwn(METHODS, method))
    throw usageError(
      'a step of the plan is no [method, spec]',
      'leave the steps as they were written',
    );
  // What the format does not offer was skipped when the plan was made, and is now.
  return { ...parseSpec(method as Method, spec), preset: 'plan' };
}

/** What the entries ask for; those whose action is not what the steps decided are edits. */
function readEntries(entries: readonly unknown[]): Pick<PlannedRun, 'manual' | 'actions'> {
  const asked = new Map<string, Action>();
  const kept = new Set<string>();
  const actions = new Map<string, Action>();
  for (const entry of entries) {
    const block = valueAt(entry, 'block');
    const conversation = stringAt(entry, 'conversation');
    const action = stringAt(entry, 'action') as Action | undefined;
    const planned = stringAt(entry, 'planned');
    if (typeof block !== 'number' || conversation === undefined || action === undefined)
      throw usageError('an entry of the plan has no block, conversation or action');
    const key = manualKey(conversation, block);
    asked.set(key, action);
    if (action === planned) continue;
    if (!MANUAL_ACTIONS.includes(action))
      throw usageError(
        `entry ${block} asks for the action ${JSON.stringify(action)}`,
        `write one of: ${MANUAL_ACTIONS.join(', ')}`,
      );
    kept.add(key);
    if (action !== 'kept') actions.set(key, action);
  }
  return { manual: { kept, actions }, actions: asked };
}
