import { EXIT } from '../../errors.ts';
import { plural } from '../../marker/marker.ts';
import type { Finding } from '../../model/conversation.ts';
import { safe } from '../../report/safe.ts';
import { type VerifyReport, verifyFile } from '../../verify/file.ts';
import { renderError } from '../errors.ts';
import { expandFiles } from '../files.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../json.ts';

export interface VerifyFlags {
  readonly stash?: string;
  readonly format?: string;
  readonly json?: boolean;
  readonly debug?: boolean;
}

/** `ctx verify`: 1 when a file breaks a rule that its original kept, or has no original to compare with. */
export async function verifyCommand(
  names: readonly string[],
  flags: VerifyFlags,
  io: Io,
): Promise<number> {
  let worst: number = EXIT.ok;
  for (const file of await expandFiles(names, io.cwd)) {
    try {
      const report = verifyFile(file, flags);
      io.stdout.write(flags.json === true ? `${jsonText(report)}\n` : render(report));
      if (!report.ok) worst = Math.max(worst, EXIT.checkFailed);
    } catch (cause) {
      worst = Math.max(worst, renderError(cause, io, flags.debug === true));
    }
  }
  return worst;
}

function render(report: VerifyReport): string {
  const stash = report.stash === null ? 'no stash' : `stash ${report.stash}`;
  const state = report.ok ? 'ok' : plural(report.violations.length, 'violation');
  const head = `${safe(report.path)}: ${state}  (${report.format}, ${plural(report.placeholders, 'placeholder')}, ${safe(stash)})`;
  const lines = [
    ...report.violations.map((finding) => line(finding, '')),
    ...report.inherited.map((finding) => line(finding, ', as in the original')),
  ];
  return `${[head, ...lines].join('\n')}\n`;
}

function line(finding: Finding, note: string): string {
  const where = finding.record === undefined ? '' : ` (record ${finding.record + 1})`;
  return `  ${finding.code}: ${safe(finding.text)}${where}${note}`;
}
