import { CtxError, EXIT, usageError } from '../errors.ts';
import type { Transcript } from '../indexing/transcript.ts';
import type { StrategyReport, Warning } from '../report/report.ts';
import { formatSpec } from '../specs/format.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { Helper } from '../summarize/helper.ts';
import type { Decision } from './decision.ts';
import type { ManualPlan } from './manual.ts';
import { manualKey } from './manual-key.ts';

/**
 * An explicit removing spec is refused where the format can't remove; a preset's step is skipped.
 * @throws CtxError with exit 2.
 */
export function refuseRemoval(spec: StrategySpec, { format }: Transcript): void {
  const removes =
    spec.target.type === '*' && !(spec.method === 'truncate' && spec.blockThreshold !== undefined);
  if (!removes || format.removal === true || spec.preset !== undefined) return;
  throw usageError(
    `--${spec.method} '${formatSpec(spec)}' would remove messages, which ${format.title} does not allow: ${format.removal}`,
    `use a block target, for example --${spec.method} 'toolResults:preserveRecent=4'`,
  );
}

/**
 * The format's own mark is asked for and there is none.
 * @throws CtxError with exit 2.
 */
export function refuseNative({ format }: Transcript): void {
  if (format.native !== undefined) return;
  throw usageError(
    `--native: ${format.title} has no mark of its own that hides a tool result`,
    'without it the results are replaced by markers',
  );
}

/** A tool that the transcript does not have takes nothing: mostly a typing error. */
export function unknownTools({ target }: StrategySpec, { conversations }: Transcript): Warning[] {
  if (target.type !== 'tools') return [];
  const known = new Set(
    conversations.flatMap(({ blocks }) => blocks.flatMap(({ tool }) => tool ?? [])),
  );
  const missing = [...target.include, ...target.exclude].filter((name) => !known.has(name));
  return missing.map((name) => ({
    code: 'unknown-tool',
    text: `no tool is named ${name} here; the transcript has ${[...known].toSorted().slice(0, 12).join(', ') || 'none'}`,
  }));
}

/**
 * An edited entry that names no block of the transcript would be an edit that nobody sees fail.
 * @throws CtxError with exit 2.
 */
export function refuseUnknownEntries(
  manual: ManualPlan | undefined,
  { conversations }: Transcript,
): void {
  if (manual === undefined || manual.kept.size === 0) return;
  const known = new Set(
    conversations.flatMap(({ id, blocks }) => blocks.map(({ index }) => manualKey(id, index))),
  );
  const missing = [...manual.kept].find((key) => !known.has(key));
  if (missing === undefined) return;
  const block = missing.slice(missing.lastIndexOf(' ') + 1);
  throw usageError(
    `the plan has an entry for block ${block}, which is not there in its conversation`,
    'edit the action of an entry and leave the rest as it was written',
  );
}

/** A conversation that is not there selects nothing, which nobody asks for. */
export function unknownConversation(
  id: string | undefined,
  { conversations }: Transcript,
): Warning[] {
  const known = conversations.map((conversation) => conversation.id);
  if (id === undefined || known.includes(id)) return [];
  const text = `no conversation has the id ${id || '""'} here; there are ${known.slice(0, 12).join(', ')}`;
  return [{ code: 'unknown-conversation', text }];
}

/**
 * A summarizer outside that gave nothing at all, with nothing in its place: the run did not do what it was asked for.
 * One failure among others is a warning, and its messages stay as they are.
 * @throws CtxError with exit 7.
 */
export function refuseFailed(
  strategies: readonly StrategyReport[],
  warnings: readonly Warning[],
): void {
  const asked = strategies.filter(({ helper }) => helper?.invoked === true);
  const useless = asked.every(
    ({ helper, fallback }) =>
      helper !== null && helper.calls + helper.cached === helper.failed && fallback === null,
  );
  if (asked.length === 0 || !useless) return;
  const failures = warnings.filter(({ code }) => code === 'summary-failed');
  const more = failures.length > 1 ? ` (and ${failures.length - 1} more)` : '';
  throw new CtxError(
    'summarizer-failed',
    EXIT.summarizer,
    `nothing could be summarized: ${failures[0]?.text ?? ''}${more}`,
    { hint: 'nothing was written; --summarizer extractive needs nobody' },
  );
}

/** A plan that is only shown says that its summaries were not made. */
export function upperBound(decisions: readonly Decision[], helper: Helper): Warning[] {
  const { name, preview, permitted } = helper;
  const made = decisions.some(({ method }) => method === 'summarize' || method === 'capsule');
  if (!made || !preview || !permitted) return [];
  const text = `${name} was not asked, so that what its summaries save is an upper bound`;
  return [{ code: 'upper-bound', text }];
}
