// npm run bench [-- SECTION...] [-- --quick --mb N --seed N]. CPU time of whole processes, interleaved pairs, medians.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeSession } from './corpus.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const ctx = join(here, '..', 'bin', 'ctx.js');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean' },
    mb: { type: 'string' },
    seed: { type: 'string', default: '4242' },
  },
});
const quick = values.quick === true;
const size = Number(values.mb ?? (quick ? 10 : 100));
const pairs = quick ? 3 : 5;
const folder = mkdtempSync(join(tmpdir(), 'ctx-bench-'));
const at = (name) => join(folder, name);
const print = (line) => process.stdout.write(`${line}\n`);

const SECTIONS = { job: wholeJob, memory: memoryGrowth, start: startUp, retrieve: retrieveOne };

try {
  for (const [name, section] of Object.entries(SECTIONS)) {
    if (positionals.length === 0 || positionals.includes(name)) section();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The whole job against the obvious program. */
function wholeJob() {
  const input = at('job.jsonl');
  const bytes = writeSession(input, size, Number(values.seed));
  print(
    `job: ${(bytes / 1e6).toFixed(1)} MB Claude Code session, seed ${values.seed}, ${pairs} interleaved pairs`,
  );
  const rows = Array.from({ length: pairs }, () => ({
    naive: measure([join(here, 'naive.mjs'), input, at('naive.jsonl'), at('naive.stash')]),
    ours: measure(compactArgs(input)),
    plain: measure([...compactArgs(input), '--no-verify']),
  }));
  for (const name of ['naive', 'ours', 'plain']) {
    const label = { naive: 'obvious program', ours: 'ctx', plain: 'ctx --no-verify' }[name];
    const cpu = rows.map((row) => row[name].cpuMs / 1000);
    print(
      `  ${label.padEnd(16)} cpu ${median(cpu).toFixed(2)} s (${spread(cpu)})  peak memory ${median(rows.map((row) => row[name].rssMb)).toFixed(0)} MB`,
    );
  }
  print(
    `  ctx / obvious    ${median(rows.map((row) => row.ours.cpuMs / row.naive.cpuMs)).toFixed(3)} of its cpu, without the integrity check ${median(rows.map((row) => row.plain.cpuMs / row.naive.cpuMs)).toFixed(3)}`,
  );
}

/** Peak memory at one size and at three times that size. */
function memoryGrowth() {
  const peaks = [1, 3].map((times) => {
    const input = at(`memory${times}.jsonl`);
    writeSession(input, size * times, Number(values.seed) + times);
    const peak = median(Array.from({ length: 3 }, () => measure(compactArgs(input)).rssMb));
    rmSync(input);
    return peak;
  });
  const [small, large] = peaks;
  print(
    `memory: ${size} MB input ${small.toFixed(0)} MB, ${size * 3} MB input ${large.toFixed(0)} MB, ratio ${(large / small).toFixed(2)}`,
  );
}

/** `--version` against bare node. */
function startUp() {
  const runs = Array.from({ length: quick ? 5 : 15 }, () => {
    const bare = measure(['-e', '0']).cpuMs;
    return { bare, version: measure([ctx, '--version']).cpuMs };
  });
  const extra = median(runs.map((run) => run.version - run.bare));
  print(
    `start: --version costs ${extra.toFixed(1)} ms cpu over bare node (${median(runs.map((run) => run.bare)).toFixed(1)} ms), median of ${runs.length} interleaved pairs`,
  );
}

/** One original out of a large stash against bare node. */
function retrieveOne() {
  const input = at('retrieve.jsonl');
  writeSession(input, size, Number(values.seed));
  measure(compactArgs(input));
  const stash = at('ours.jsonl.stash');
  const ref =
    /"ref":"([0-9a-f]{12})"/.exec(readFileSync(stash, 'latin1').slice(0, 4000))?.[1] ?? '';
  const runs = Array.from({ length: quick ? 3 : 9 }, () => ({
    bare: measure(['-e', '0']).cpuMs,
    one: measure([ctx, 'retrieve', ref, '--stash', stash, '--raw']).cpuMs,
  }));
  print(
    `retrieve: one ref costs ${median(runs.map((run) => run.one - run.bare)).toFixed(1)} ms cpu over bare node`,
  );
}

function compactArgs(input) {
  const step = 'toolResults:blockThreshold=2500,previewTokens=1000';
  return [ctx, 'compact', input, '-o', at('ours.jsonl'), '--truncate', step, '--force', '--quiet'];
}

/** CPU milliseconds and peak memory of one node process. */
function measure(args) {
  const report = at('measure.json');
  const env = { ...process.env, MEASURE: report, CTX_NO_INDEX: '1' };
  const run = spawnSync(process.execPath, ['--import', join(here, 'measure-child.mjs'), ...args], {
    env,
    maxBuffer: 1e9,
  });
  if (run.status !== 0) throw new Error(`${args.join(' ')} failed: ${run.stderr}`);
  return JSON.parse(readFileSync(report, 'utf8'));
}

function median(values_) {
  const sorted = values_.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}

function spread(numbers) {
  return `${Math.min(...numbers).toFixed(2)} to ${Math.max(...numbers).toFixed(2)}`;
}
