import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { Output, Tail } from './output.ts';
import type { Clean } from './secrets.ts';
import type { Stop } from './stop.ts';
import { endTree, type Tree, watched } from './tree.ts';

export interface Run {
  readonly file: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly env: NodeJS.ProcessEnv;
  /** Bytes that the program may write to stdout. */
  readonly maxBytes: number;
  readonly clean: Clean;
  readonly stop: Stop;
}

/** What execa tells of a program that ended. */
interface Ended {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly code?: string | undefined;
  readonly failed: boolean;
}

/** How long a program that was told to end has to do so, in milliseconds. */
const GRACE = 1000;

/** Runs a program to its end and gives its stdout. Rejects with one line that says how it failed. */
export async function runProgram(run: Run): Promise<string> {
  const { stop, maxBytes } = run;
  const output = new Output(maxBytes, () =>
    stop.now(new Error(`the answer is larger than ${maxBytes} bytes`)),
  );
  const errors = new Tail();
  const child = execa(run.file, run.args, {
    input: run.input,
    env: run.env,
    extendEnv: false,
    // A group of its own, so that what it starts can be ended with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
    reject: false,
    buffer: false,
  });
  child.stdout.on('data', (chunk: Buffer) => output.add(chunk));
  child.stderr.on('data', (chunk: Buffer) => errors.add(chunk));
  const ended = await watched(child, () => Promise.race([child, aborted(stop.signal)]));
  if (ended === undefined || stop.signal.aborted) {
    await end(child, child);
    throw stop.signal.reason;
  }
  if (ended.failed) throw new Error(failure(run, ended, errors.text()));
  return output.text();
}

async function end(tree: Tree, over: Promise<unknown>): Promise<void> {
  endTree(tree, 'SIGTERM');
  await Promise.race([over, sleep(GRACE, undefined, { ref: false })]);
  // Also when the program is gone: what it started may still run.
  endTree(tree, 'SIGKILL');
  await Promise.race([over, sleep(GRACE, undefined, { ref: false })]);
  // A process that left the group can hold the pipes open for ever.
  tree.stdout.destroy();
  tree.stderr.destroy();
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

function failure({ file, clean }: Run, ended: Ended, stderr: string): string {
  const said = clean(stderr, 'tail');
  const after = said === '' ? '' : `: ${said}`;
  if (ended.exitCode !== undefined) return `exit code ${ended.exitCode}${after}`;
  if (ended.signal !== undefined) return `ended by ${ended.signal}${after}`;
  const program = clean(file);
  if (ended.code === 'ENOENT') return `program not found: ${program}`;
  return `can't run ${program} (${ended.code ?? 'unknown error'})`;
}
