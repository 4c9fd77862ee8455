import type { ArchiveFacts, Source } from '../load/source.ts';
import { commas } from '../marker/marker.ts';
import type { Plan } from '../plan/plan.ts';
import { sum } from '../plan/view.ts';
import type { Prepared } from '../prepare.ts';
import type { FileFacts, Fullest, Report, Warning } from './report.ts';
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
  const { conversations } = transcript;
  const usage = conversations.length === 1 ? (conversations[0]?.usage ?? null) : null;
  const sent = sentEstimate(prepared);
  const capped = sent !== null && sent < after;
  return {
    schema: 'ctx.report/1',
    command: done.command,
    format: transcript.format.name,
    input: {
      path: done.path,
      bytes: transcript.source.size,
      sha256: transcript.sha256,
      ...archiveFacts(transcript.source),
    },
    output: done.output,
    stash: done.stash,
    counter,
    window,
    tokens: {
      before,
      after,
      saved: before - after,
      overhead: sum(conversations.map((conversation) => conversation.overhead)),
      clientUsage: usage,
      sentEstimate: capped ? sent : null,
      ...fullestOf(plan),
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

/** What the report says of a compressed file. */
export function archiveFacts({ archive }: Source): { archive?: ArchiveFacts } {
  if (archive === undefined) return {};
  const { method, bytes, sha256 } = archive;
  return { archive: { method, bytes, sha256 } };
}

/** A window that is still over-full after every step is said, not left to be found out by the API. */
function overFull({ plan, window }: Prepared): Warning[] {
  const after = fullestOf(plan).fullest?.after ?? plan.tokens.after;
  if (after < window.tokens || window.source === 'default') return [];
  const text = `still over-full: ${commas(after)} of ${commas(window.tokens)} tokens; what is left is protected or a marker already (see --all)`;
  return [{ code: 'over-full', text }];
}

/** A window is a conversation's own: of several the fullest says whether they fit. */
function fullestOf({ views }: Plan): { fullest?: Fullest } {
  const [first, ...rest] = views;
  if (first === undefined || rest.length === 0) return {};
  const view = rest.reduce((most, next) => (next.tokens > most.tokens ? next : most), first);
  const { conversation, before, tokens: after } = view;
  return { fullest: { conversation: conversation.id, before, after, of: views.length } };
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
