import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { inputError, usageError } from '../errors.ts';
import type { Report, Warning } from '../report/report.ts';

const ENDING = '.history.jsonl';

/** `--from-journal`: the journals beside these session files, in their place. */
export function journalsOf(files: readonly string[], inPlace: boolean, cwd: string): string[] {
  if (inPlace)
    throw usageError('--in-place excludes --from-journal: a client appends to the journal');
  return files.map((file) => {
    if (file.endsWith(ENDING)) return file;
    const journal = journalBeside(file, cwd);
    if (journal !== undefined) return journal;
    throw inputError(`there is no history journal beside ${file}`, {
      hint: `a OneRingAI session NAME.json has its journal in NAME${ENDING}`,
    });
  });
}

/** A OneRingAI session that was compacted by its client lacks what only its journal still has. */
export function journalWarnings(file: string, report: Report, cwd: string): Warning[] {
  const journal = report.format === 'oneringai' ? journalBeside(file, cwd) : undefined;
  if (journal === undefined) return [];
  const text = `${journal} may hold messages that this session no longer has; --from-journal reads it instead`;
  return [{ code: 'journal-beside', text }];
}

function journalBeside(file: string, cwd: string): string | undefined {
  const journal = file.replace(/\.json$/, ENDING);
  return journal !== file && existsSync(resolve(cwd, journal)) ? journal : undefined;
}
