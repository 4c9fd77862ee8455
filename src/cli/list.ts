import { commas, plural } from '../marker/marker.ts';
import { safe } from '../report/safe.ts';
import type { OriginalFacts, RunLine } from '../stash/lines.ts';
import { readFacts, readRuns, type Stash } from '../stash/store.ts';
import { columns } from './commands/formats.ts';
import { jsonText } from './json.ts';

/** What a stash holds, by run and tool. */
export function renderList(stash: Stash, json: boolean): string {
  const runs = readRuns(stash);
  const originals = new Map([...stash.refs.keys()].map((ref) => [ref, readFacts(stash, ref)]));
  if (json) {
    const listed = runs.map((run) => ({ ...facts(run), refs: refsOf(run) }));
    return `${jsonText({ schema: 'ctx.list/1', stash: stash.path, runs: listed, originals: [...originals.values()] })}\n`;
  }
  const lines = runs.flatMap((run, index) => {
    const own = refsOf(run).flatMap((ref) => originals.get(ref) ?? []);
    const head = `run ${index + 1} of ${run.at.slice(0, 19).replace('T', ' ')}: ${plural(own.length, 'original')}, ${commas(run.tokens.before)} -> ${commas(run.tokens.after)} tokens`;
    return [head, ...run.strategies.map((step) => `  ${safe(step)}`), columns(byTool(own))];
  });
  return `${safe(stash.path)}: ${plural(stash.refs.size, 'original')} of ${plural(runs.length, 'run')}\n${lines.join('\n')}`;
}

function facts(
  run: RunLine,
): Pick<RunLine, 'id' | 'at' | 'format' | 'input' | 'output' | 'strategies' | 'tokens'> {
  const { id, at, format, input, output, strategies, tokens } = run;
  return { id, at, format, input, output, strategies, tokens };
}

function refsOf(run: RunLine): string[] {
  return [...new Set(run.placed.map((marker) => marker.ref))];
}

function byTool(originals: readonly OriginalFacts[]): string[][] {
  const sorted = originals.toSorted(
    (left, right) => toolOf(left).localeCompare(toolOf(right)) || right.tokens - left.tokens,
  );
  return [
    ['  ref', 'what', 'tool', 'tokens', 'status'],
    ...sorted.map((original) => [
      `  ${original.ref}`,
      original.messages === undefined ? original.kind : plural(original.messages, 'message'),
      safe(original.tool ?? ''),
      commas(original.tokens),
      original.isError === true ? 'error' : '',
    ]),
  ];
}

function toolOf(original: OriginalFacts): string {
  return original.tool ?? '';
}
