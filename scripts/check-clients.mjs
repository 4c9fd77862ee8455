// Resumes compacted sessions in the real clients and compares what they send with the plan. Needs a rig with a
// compare.py (see docs/formats), clients installed, and root: not part of the tests.
// Usage: node scripts/check-clients.mjs [--steps NAME]... RIG_FOLDER TRANSCRIPTS_FOLDER [CLIENT...]
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ctx = join(dirname(fileURLToPath(import.meta.url)), '..', 'bin', 'ctx.js');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { steps: { type: 'string', multiple: true } },
});
const [rig, transcripts, ...asked] = positionals;
const clients = asked.length > 0 ? asked : ['claude', 'claude-old', 'codex'];

const SETS = [
  {
    name: 'all results truncated',
    args: ['--truncate', 'toolResults:blockThreshold=200,previewTokens=80'],
  },
  { name: 'agentic', args: ['--preset', 'agentic'] },
  { name: 'staleToolCleanup', args: ['--preset', 'staleToolCleanup'] },
  { name: 'drop *', args: ['--drop', '*:preserveRecent=2'], removals: true },
  { name: 'summarize *', args: ['--summarize', '*:preserveRecent=2'], removals: true },
  {
    name: 'truncate * (middle)',
    args: ['--truncate', '*:preserveRecent=1,previewTokens=500'],
    removals: true,
  },
  {
    name: 'masked',
    args: ['--mask', 'preserveRecentTurns=0,preserveRecentMessages=1,minObservationTokens=0'],
  },
  {
    name: 'structured summary',
    args: [
      '--structured-summary',
      'preserveRecentTurns=0,preserveRecentMessages=2,minObservationTokens=0',
    ],
    removals: true,
  },
  {
    name: 'algorithmic, 2 pairs',
    args: ['--algorithmic', 'toolResultSizeThreshold=400,maxToolPairs=2'],
    removals: true,
  },
  {
    name: 'native history',
    args: ['--native-history', 'preserveRecentTurns=0,preserveRecentMessages=2'],
    removals: true,
  },
  { name: 'drop * above 500', args: ['--drop', '*:blockThreshold=500'], removals: true },
  {
    name: 'preset overflowProtection, window 1000',
    args: ['--preset', 'overflowProtection', '--window', '1000'],
    removals: true,
  },
  { name: 'preset archive', args: ['--preset', 'archive'] },
  { name: 'lossless', args: ['--preset', 'lossless'] },
  { name: 'lean', args: ['--preset', 'lean'] },
  { name: 'ui-copies', args: ['--ui-copies', 'minBytes=300'] },
].filter(({ name }) => values.steps === undefined || values.steps.includes(name));

/** Text that changed where it stands, and text that was added. */
const IN_PLACE = ['narration', 'capsule'];

let failed = 0;
process.stdout.write(
  '| client | session | steps | ok | blocks sent | characters | removed as planned |\n|---|---|---|---|---|---|---|\n',
);
for (const client of clients) {
  for (const session of readdirSync(join(transcripts, client)))
    for (const set of SETS) check(client, session, set);
}
process.stdout.write(`\n${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;

function check(client, session, { name, args, removals }) {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-client-'));
  try {
    const source = join(transcripts, client, session);
    cpSync(source, folder, { recursive: true });
    const file = readdirSync(source).find((entry) => /\.jsonl?$/.test(entry));
    const env = { ...process.env, CTX_NO_INDEX: '1' };
    const compacted = spawnSync(
      process.execPath,
      [ctx, 'compact', join(folder, file), '--in-place', '--force', '--json', ...args],
      { env, maxBuffer: 1e9 },
    );
    const report = JSON.parse(compacted.stdout);
    if (report.stash === null) return;
    const flags = removals ? ['--removals'] : [];
    const compared = spawnSync(
      join(rig, 'compare.py'),
      [...flags, client, join(source, file), join(folder, file)],
      { env, maxBuffer: 1e9 },
    );
    const result = JSON.parse(compared.stdout);
    const planned = removals ? asPlanned(report, result) : 'none removed';
    const ok = result.ok && planned !== 'NO';
    if (!ok) failed += 1;
    const cells = [
      client,
      session,
      name,
      ok ? 'ok' : 'FAILED',
      result.blocks.join(' -> '),
      result.msgChars.join(' -> '),
      planned,
    ];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lost blocks are those that the plan removed, added ones one user text a gap or a capsule (a removed one hides one). */
function asPlanned(report, { lost, added }) {
  const removed = report.blocks.filter(
    (block) =>
      block.live &&
      block.ref !== null &&
      ['removed', 'summarized'].includes(block.action) &&
      !IN_PLACE.includes(block.reason),
  );
  const capsules = report.blocks.filter((block) => block.reason === 'capsule').length;
  const gaps = new Set(removed.map((block) => block.ref)).size + capsules;
  const ids = (kinds) =>
    removed
      .filter((block) => kinds.includes(block.kind))
      .map((block) => block.callId.replace(/^.+?__/, ''));
  // Gemini CLI sends every result twice, and ids without the name in front.
  const lostIds = [...new Set(lost.filter(([, , id]) => id !== '').map(String))].map((block) =>
    block.slice(block.lastIndexOf(',') + 1),
  );
  const calls = sameList(ids(['toolCall', 'toolResult']), lostIds);
  const others = removed.filter((block) => !['toolCall', 'toolResult'].includes(block.kind));
  const lostOthers = lost.filter(([, , id]) => id === '').length;
  const balance = others.length - lostOthers === gaps - added.length;
  return calls && balance
    ? `${removed.length} blocks, ${gaps} ${gaps === 1 ? 'gap' : 'gaps'}`
    : 'NO';
}

function sameList(left, right) {
  return JSON.stringify(left.toSorted()) === JSON.stringify(right.toSorted());
}
