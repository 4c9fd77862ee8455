import { commas } from '../marker/marker.ts';
import { sum } from '../plan/view.ts';
import type { Prepared } from '../prepare.ts';
import type { FileFacts, Report, Warning } from './report.ts';
import { blockRows } from './rows.ts';

export interface Done {
  readonly command: Report['command'];
  readonly path: string;
  readonly output: FileFacts | null;
  readonly stash: Report['stash'];
  readonly verify: Report['verify'];
  /** What a plan that was not applied would leave. */
  readonly bytesAfter?: number;
}

/** The report of a run: for explain nothing was written, and the figures are the plan's. */
export function buildReport(prepared: Prepared, done: Done): Report {
  const { transcript, plan, counter, window, warnings } = prepared;
  const { before, after } = plan.tokens;
  const usage = transcript.conversations.at(-1)?.usage ?? null;
  const sent = sentEstimate(prepared);
  const capped = sent !== null && sent < after;
  return {
    schema: 'ctx.report/1',
    command: done.command,
    format: transcript.format.name,
    input: { path: done.path, bytes: transcript.source.size, sha256: transcript.sha256 },
    output: done.output,
    stash: done.stash,
    counter,
    window,
    tokens: {
      before,
      after,
      saved: before - after,
      overhead: sum(transcript.conversations.map((conversation) => conversation.overhead)),
      clientUsage: usage,
      sentEstimate: capped ? sent : null,
    },
    bytes: {
      before: transcript.source.size,
      after: done.output?.bytes ?? done.bytesAfter ?? transcript.source.size,
    },
    strategies: plan.strategies,
    cache: prepared.cache,
    budget: plan.budget,
    blocks: blockRows(plan),
    warnings: [
      ...overFull(prepared),
      ...(capped
        ? [
            ...warnings,
            {
              code: 'client-cap',
              text: `the client cuts long outputs on load: about ${sent} tokens are sent`,
            },
          ]
        : warnings),
    ],
    verify: done.verify,
  };
}

/** A window that is still over-full after every step is said, not left to be found out by the API. */
function overFull({ plan, window }: Prepared): Warning[] {
  const { after } = plan.tokens;
  if (after < window.tokens || window.source === 'default') return [];
  const text = `still over-full: ${commas(after)} of ${commas(window.tokens)} tokens; what is left is protected or a marker already (see --all)`;
  return [{ code: 'over-full', text }];
}

function sentEstimate({ transcript, plan }: Prepared): number | null {
  if (transcript.sent === undefined) return null;
  const [view] = plan.views;
  if (view === undefined) return null;
  const markers = sum([...view.gaps, ...view.capsules].map((marker) => marker.tokensAfter));
  return (
    transcript.sent((block) => (view.isRemoved(block.message) ? 0 : view.tokensOf(block.index))) +
    markers
  );
}
