import { readFileSync } from 'node:fs';
import type { Report } from '../../src/report/report.ts';
import { ctx, put, type Ran } from '../support/cli.ts';

/** Exact sizes and a known window. */
export const FIXED: readonly string[] = ['--counter', 'heuristic', '--window', '200000'];

export interface Done {
  readonly ran: Ran;
  readonly report: Report;
  /** What was written; the input when nothing was. */
  readonly bytes: Buffer;
  readonly text: string;
}

/** Runs `ctx compact` on a file of these bytes and reads what it wrote. */
export async function compacted(
  name: string,
  bytes: Uint8Array,
  argv: readonly string[],
): Promise<Done> {
  const file = put(name, bytes);
  const output = `out-${name}`;
  const ran = await ctx(['compact', file, '-o', output, '--force', '--json', ...FIXED, ...argv]);
  if (ran.code !== 0) throw new Error(`exit ${ran.code}: ${ran.err}`);
  const written = readFileSync(output);
  return { ran, report: reportOf(ran), bytes: written, text: written.toString('utf8') };
}

export function reportOf(ran: Ran): Report {
  return JSON.parse(ran.out) as Report;
}

/** Records that follow one another: each is given its line number and that of its parent. */
export function chain(records: readonly ((line: number, parent: number) => string)[]): string[] {
  return records.map((record, index) => record(index + 1, index));
}
