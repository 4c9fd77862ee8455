import { commas, plural } from '../marker/marker.ts';
import type { Report } from '../report/report.ts';
import { safe } from '../report/safe.ts';
import { inSessionFolder } from './files.ts';
import type { Io, Output } from './io.ts';
import { jsonText } from './json.ts';
import { type ColorMode, styleFor } from './style.ts';

export interface PrintFlags {
  readonly all?: boolean;
  readonly plain?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color?: ColorMode;
  readonly inPlace?: boolean;
  /** Without the lines on what to do next. */
  readonly bare?: boolean;
  /** Where the plan was written. */
  readonly planOut?: string;
  /** One report a line. */
  readonly lines?: boolean;
}

/** Prints a report the way the flags ask for. The table goes to stderr when stdout carries the transcript. */
export async function printReport(
  report: Report,
  flags: PrintFlags,
  count: number,
  io: Io,
): Promise<void> {
  const out = report.output?.path === '-' ? io.stderr : io.stdout;
  if (flags.json === true) {
    out.write(`${jsonText(report, count > 1 || flags.lines === true ? 0 : 2)}\n`);
    return;
  }
  if (flags.quiet === true) return;
  if (flags.plain === true) {
    const { renderPlain } = await import('../report/plain.ts');
    out.write(renderPlain(report, flags.all ?? false));
    return;
  }
  await printTable(report, flags, out, io);
}

async function printTable(report: Report, flags: PrintFlags, out: Output, io: Io): Promise<void> {
  const { renderTable, renderSummary } = await import('../report/table.ts');
  const style = styleFor(out, io.env, flags.color);
  const width = out.isTTY ? out.columns || 80 : undefined;
  const live = new Set(
    report.blocks.filter((row) => row.live).map((row) => `${row.conversation} ${row.message}`),
  );
  out.write(
    `${style.bold(safe(report.input.path))}  ${report.format}, ${plural(live.size, 'message')} that resuming sends, ${plural(report.blocks.length, 'block')}\n\n`,
  );
  const table = renderTable(report, { style, width, all: flags.all ?? false });
  out.write(table === '' ? `${style.dim('nothing to offload')}\n\n` : `${table}\n`);
  out.write(renderSummary(report, style));
  out.write(
    nextLines(report, flags, io)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

/** What was written, and the exact commands that go on from here. */
/** What writes the file that was only shown. */
function applyLine(report: Report, { planOut }: PrintFlags): string {
  const compact = `ctx compact ${quote(report.input.path)}`;
  return planOut === undefined
    ? `${compact} with the same flags writes this`
    : `${compact} --plan ${quote(planOut)}`;
}

function nextLines(report: Report, flags: PrintFlags, io: Io): string[] {
  const first = report.blocks.find((row) => row.ref !== null && row.action !== 'kept')?.ref;
  if (report.output === null || report.stash === null) {
    if (report.output !== null)
      return [
        `\nnothing to do; ${report.output.path === '-' ? 'the transcript goes out as it came' : `written ${quote(report.output.path)}, a copy`}`,
      ];
    if (report.command === 'compact') return ['\nnothing to do, nothing written'];
    return first === undefined
      ? []
      : flags.bare === true || report.input.path === '-'
        ? []
        : [`\nnext     ${applyLine(report, flags)}`];
  }
  const { output, stash } = report;
  const place =
    output.path === '-'
      ? []
      : [`written  ${quote(output.path)} (${commas(output.archive?.bytes ?? output.bytes)} bytes)`];
  const beside = stash.path === `${output.path}.stash`;
  const option = beside ? '' : ` --stash ${quote(stash.path)}`;
  const retrieve =
    first === undefined || first === null
      ? []
      : [`next     ctx retrieve ${first} --stash ${quote(stash.path)}`];
  const restore =
    output.path === '-' ? [] : [`         ctx restore ${quote(output.path)}${option}`];
  const put =
    flags.inPlace !== true && output.path !== '-' && inSessionFolder(report.input.path, io.cwd)
      ? [
          `         cp ${quote(output.path)} ${quote(report.input.path)} && cp ${quote(stash.path)} ${quote(`${report.input.path}.stash`)}`,
          '           puts it where its client looks, over the original; --in-place does the same with more care',
        ]
      : [];
  return ['', ...place, stashLine(report), ...retrieve, ...restore, ...put];
}

/** Quotes a path for a shell when it needs it. */
export function quote(path: string): string {
  const shown = safe(path);
  return /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`;
}

/** Equal texts share one original, so that there may be fewer of them than markers. */
function stashLine({ stash, blocks }: Report): string {
  const refs = blocks.flatMap(({ action, ref }) =>
    action === 'kept' || ref === null ? [] : [ref],
  );
  const shared =
    new Set(refs).size < refs.length &&
    blocks.every(({ action }) => action !== 'removed' && action !== 'summarized');
  const note = shared ? '; equal texts are kept once' : '';
  return `stash    ${quote(stash?.path ?? '')} (${plural(stash?.entries ?? 0, 'original')}${note})`;
}
