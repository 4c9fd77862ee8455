import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFailure } from '../commit/failure.ts';
import { CtxError, inputError, usageError, writeError } from '../errors.ts';
import type { CounterName } from '../measure/counter.ts';
import { type PlanFile, planEntries, planSteps, readPlan } from '../plan/plan-file.ts';
import type { PrepareOptions } from '../prepare.ts';
import type { Report } from '../report/report.ts';

/** Options of a run that a plan on disk asks for. @throws CtxError: 2 no plan, 3 can't be read. */
export function plannedOptions(path: string): Partial<PrepareOptions> {
  const { sha256, counter, ...run } = readPlan(readJson(path));
  return { ...run, counter: counter as CounterName, plannedFor: sha256 };
}

/** Writes a plan; an older plan at the same place is replaced, anything else is somebody's file. */
export function writePlan(
  path: string,
  report: Report,
  options: PrepareOptions,
  planned: Report['blocks'] = report.blocks,
): void {
  if (existsSync(path) && !isPlan(path))
    throw writeError(`${path} exists and is no plan of ctx`, {
      hint: 'name another file with --plan-out',
    });
  const plan: PlanFile = {
    schema: 'ctx.plan/1',
    input: report.input,
    format: report.format,
    counter: report.counter.name,
    window: report.window.tokens,
    steps: planSteps(options.specs),
    emergency: options.emergency ?? false,
    protectEnds: options.protectEnds ?? true,
    tokens: { before: report.tokens.before, after: report.tokens.after },
    entries: planEntries(report.blocks, planned),
  };
  try {
    writeFileSync(path, `${JSON.stringify(plan, null, 2)}\n`, { mode: 0o600 });
  } catch (cause) {
    throw writeFailure(path, cause);
  }
}

function isPlan(path: string): boolean {
  try {
    readPlan(readJson(path));
    return true;
  } catch (cause) {
    if (cause instanceof CtxError) return false;
    throw cause;
  }
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw inputError(`the plan ${path} can't be read`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw usageError(
      `the plan ${path} is not JSON`,
      'make a new one with ctx explain FILE --plan-out plan.json',
    );
  }
}
