// npm run bench -- [SECTION...] [--quick] [--mb N] [--seed N]   sections: job, memory, documents, start, retrieve (all without a name)
// CPU time (user + system) and peak memory of whole processes: interleaved runs, medians. It measures, it asserts nothing.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { writeCorpus } from './corpus.mjs';

const SECTIONS = {
  job: wholeJob,
  memory: memoryGrowth,
  documents: largeDocuments,
  start: startUp,
  retrieve: retrieveOne,
};
const STEP = 'toolResults:blockThreshold=2500,previewTokens=1000';

const here = dirname(fileURLToPath(import.meta.url));
const ctx = join(here, '..', 'bin', 'ctx.js');
const naive = join(here, 'naive.mjs');
const measurer = pathToFileURL(join(here, 'measure-child.mjs')).href;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    mb: { type: 'string' },
    seed: { type: 'string', default: '4242' },
  },
});
const quick = values.quick;
const size = Number(values.mb ?? (quick ? 10 : 100));
const seed = Number(values.seed);
const unknown = positionals.find((name) => !(name in SECTIONS));
if (unknown !== undefined || !(size > 0) || !Number.isInteger(seed)) {
  process.stderr.write(
    `usage: run.mjs [${Object.keys(SECTIONS).join('|')}]... [--quick] [--mb N] [--seed N]\n`,
  );
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'ctx-bench-'));
const at = (name) => join(folder, name);
/** The session that several sections share, once it is written. */
let shared;

try {
  print(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}`);
  for (const [name, section] of Object.entries(SECTIONS)) {
    if (positionals.length === 0 || positionals.includes(name)) section();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The whole job against the obvious program. */
function wholeJob() {
  const { input, bytes } = session();
  const rounds = Array.from({ length: quick ? 3 : 5 }, () => ({
    naive: measure([naive, input, at('naive.jsonl'), at('naive.stash')]),
    ours: compact(input),
    plain: compact(input, '--no-verify'),
  }));
  const row = (label, key) => {
    const cpu = rounds.map((round) => round[key].cpuMs / 1000);
    const ratios = rounds.map((round) => round.naive.cpuMs / round[key].cpuMs);
    return [
      label,
      median(cpu).toFixed(2),
      (bytes / 1e6 / median(cpu)).toFixed(1),
      ...(key === 'naive'
        ? ['', '']
        : [`${median(ratios).toFixed(2)}x`, ratios.map((ratio) => ratio.toFixed(2)).join(' ')]),
      median(rounds.map((round) => round[key].rssMb)).toFixed(0),
    ];
  };
  print(
    `\njob: ${megabytes(bytes)} Claude Code session, seed ${seed}, ${rounds.length} interleaved rounds`,
  );
  table(
    ['program', 'cpu s', 'MB/s', 'obvious / it', 'each round', 'peak MB'],
    [
      row('obvious program', 'naive'),
      row('ctx compact', 'ours'),
      row('ctx compact --no-verify', 'plain'),
    ],
  );
}

/** Peak memory at one size and at three times that size. */
function memoryGrowth() {
  const rows = [1, 3].map((times) => {
    const { input, bytes } = session(times);
    const runs = Array.from({ length: 3 }, () => compact(input));
    if (times > 1) rmSync(input);
    return { bytes, peak: median(runs.map((run) => run.rssMb)), runs };
  });
  const [small, large] = rows;
  print('\nmemory: ctx compact, median of 3 runs');
  table(
    ['input', 'peak MB', 'each run', 'ratio'],
    rows.map(({ bytes, peak, runs }) => [
      megabytes(bytes),
      peak.toFixed(0),
      runs.map((run) => run.rssMb.toFixed(0)).join(' '),
      peak === large.peak ? (large.peak / small.peak).toFixed(2) : '',
    ]),
  );
}

/** Peak memory of single documents of three times the asked size, against the size of the file. */
function largeDocuments() {
  const bare = measure([ctx, '--version']).rssMb;
  const rows = ['openai', 'strands'].flatMap((shape) => {
    const input = at(`${shape}.json`);
    const bytes = writeCorpus(input, size * 3, seed, shape);
    const row = (command, { rssMb }) => [
      `${shape} ${command}`,
      megabytes(bytes),
      rssMb.toFixed(0),
      ((rssMb * 1048576) / bytes).toFixed(2),
      (((rssMb - bare) * 1048576) / bytes).toFixed(2),
    ];
    const found = [
      row('explain', measure([ctx, 'explain', input, '--truncate', STEP, '--json'])),
      row('compact', compact(input)),
    ];
    rmSync(input);
    return found;
  });
  print(`\ndocuments: one messages array; a bare ctx takes ${bare.toFixed(0)} MB`);
  table(['document', 'input', 'peak MB', 'peak / file', 'without the bare ctx'], rows);
}

/** `--version` against bare node. */
function startUp() {
  againstBareNode('start', 'ctx --version', [ctx, '--version'], quick ? 5 : 15);
}

/** One original out of the stash of the whole job against bare node. */
function retrieveOne() {
  const { input } = session();
  compact(input);
  const { blocks, stash } = JSON.parse(readFileSync(at('stdout'), 'utf8'));
  const refs = blocks.map(({ ref }) => ref).filter((ref) => ref !== null);
  const ref = refs[Math.floor(refs.length / 2)];
  if (ref === undefined) {
    print('\nretrieve: nothing was offloaded at this size');
    return;
  }
  const args = [ctx, 'retrieve', ref, '--stash', stash.path];
  const label = `ctx retrieve, 1 of ${stash.entries} (${megabytes(stash.bytes)})`;
  againstBareNode('retrieve', label, args, quick ? 5 : 15);
}

function againstBareNode(title, label, args, pairs) {
  const runs = Array.from({ length: pairs }, () => ({
    bare: measure(['-e', '0']).cpuMs,
    ours: measure(args).cpuMs,
  }));
  const row = (name, pick) => {
    const times = runs.map(pick);
    return [name, median(times).toFixed(1), Math.min(...times).toFixed(1)];
  };
  print(`\n${title}: ${pairs} interleaved pairs`);
  table(
    ['program', 'cpu ms', 'least'],
    [
      row('node -e 0', ({ bare }) => bare),
      row(label, ({ ours }) => ours),
      row('difference', ({ bare, ours }) => ours - bare),
    ],
  );
}

/** A generated session of `times` the asked size; that of the plain size is kept for the next section. */
function session(times = 1) {
  if (times === 1 && shared !== undefined) return shared;
  const input = at(`session-${times}.jsonl`);
  const written = { input, bytes: writeCorpus(input, size * times, seed) };
  if (times === 1) shared = written;
  return written;
}

/** One run of ctx; what an earlier run wrote is removed, so that each starts alike. */
function compact(input, ...more) {
  const output = at('ours.jsonl');
  for (const path of [output, `${output}.stash`]) rmSync(path, { force: true });
  return measure([ctx, 'compact', input, '-o', output, '--truncate', STEP, '--json', ...more]);
}

/** CPU milliseconds and peak memory of one node process; its output goes to a file. */
function measure(args) {
  const report = at('measure.json');
  rmSync(report, { force: true });
  const stdout = openSync(at('stdout'), 'w');
  try {
    const run = spawnSync(process.execPath, ['--import', measurer, ...args], {
      env: { ...process.env, MEASURE: report, CTX_NO_INDEX: '1' },
      stdio: ['ignore', stdout, 'pipe'],
    });
    if (run.status !== 0) throw new Error(`${args.join(' ')} failed: ${run.stderr}`);
  } finally {
    closeSync(stdout);
  }
  return JSON.parse(readFileSync(report, 'utf8'));
}

function median(numbers) {
  const sorted = numbers.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Columns as wide as their widest cell; all but the first are aligned to the right. */
function table(head, rows) {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  for (const line of lines) {
    const cells = line.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
    );
    print(`  ${cells.join('  ').trimEnd()}`);
  }
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
