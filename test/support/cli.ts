/** Runs the command line in process: captured streams, a fixed clock, a temporary folder of its own. */

import { createHash } from 'node:crypto';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { run } from '../../src/cli/main.ts';

export const NOW = '2026-01-01T00:00:00.000Z';
/** C0 but line ends and tabs, DEL, C1: what must never reach a terminal from a transcript. */
export const RAW_CONTROL: RegExp = /(?![\n\t])\p{Cc}/u;
/** Takes every tool result of the test sessions that is large, and nothing else. */
export const TRUNCATE: readonly string[] = [
  '--truncate',
  'toolResults:blockThreshold=200,previewTokens=60',
];

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly bytes: Buffer;
}

export interface World {
  readonly stdin?: Uint8Array;
  readonly tty?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly checkpoint?: () => void;
  readonly interrupt?: AbortSignal;
}

let folder = '';
let before = '';

/** Gives every test of a file an empty working directory. */
export function useFolder(): void {
  vi.setConfig({ testTimeout: 30_000 });
  // What the commands load when they are first run is no part of a test's time.
  beforeAll(async () => {
    await Promise.all([
      import('../../src/cli/program.ts'),
      import('../../src/cli/commands/compact.ts'),
      import('../../src/cli/commands/retrieve.ts'),
      import('../../src/cli/commands/restore.ts'),
      import('../../src/cli/commands/verify.ts'),
      import('../../src/report/table.ts'),
    ]);
  }, 60_000);
  beforeEach(() => {
    before = process.cwd();
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-test-')));
    process.chdir(folder);
  });
  afterEach(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  });
}

/** Runs `ctx` with these arguments. */
export async function ctx(argv: readonly string[], world: World = {}): Promise<Ran> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const tty = world.tty ?? false;
  const stream = (chunks: Buffer[]) => ({
    isTTY: tty,
    columns: tty ? 120 : undefined,
    write: (text: string | Uint8Array) => void chunks.push(Buffer.from(text as Uint8Array)),
  });
  const io: Io = {
    stdout: stream(out),
    stderr: stream(err),
    stdin: { isTTY: tty, read: async () => Buffer.from(world.stdin ?? []) },
    env: { CTX_NO_INDEX: '1', HOME: folder, ...world.env },
    cwd: folder,
    now: () => NOW,
    checkpoint: async () => world.checkpoint?.(),
    interrupt: world.interrupt ?? new AbortController().signal,
  };
  const code = await run(argv, io);
  const bytes = Buffer.concat(out);
  return { code, bytes, out: bytes.toString('utf8'), err: Buffer.concat(err).toString('utf8') };
}

/** Writes a file into the working directory and gives its name. */
export function put(name: string, bytes: Uint8Array | string): string {
  writeFileSync(name, bytes);
  return name;
}

/** Every name below the working directory, sorted. */
export function names(): string[] {
  return readdirSync('.', { recursive: true, encoding: 'utf8' }).toSorted();
}

export function sha(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function shaOf(path: string): string {
  return sha(readFileSync(path));
}

/** The error line, and that it is one: `ctx: …` and at most one hint. */
export function errorLine({ err }: Ran): string {
  const lines = err.split('\n').filter((line) => line !== '');
  const [first = '', ...hints] = lines;
  if (!first.startsWith('ctx: ') || hints.length > 1 || hints.some((hint) => !/^ {2}\S/.test(hint)))
    throw new Error(`not one line and a hint: ${JSON.stringify(err)}`);
  return first;
}

export interface JsonReport {
  readonly [key: string]: unknown;
  readonly tokens: { readonly before: number; readonly after: number; readonly saved: number };
  readonly blocks: readonly {
    readonly action: string;
    readonly ref: string | null;
    readonly reason: string;
    readonly callId: string | null;
    readonly kind: string;
  }[];
  readonly warnings: readonly { readonly code: string; readonly text: string }[];
}

export function report(ran: Ran): JsonReport {
  return JSON.parse(ran.out) as JsonReport;
}

/** Refs of the blocks that were acted on, in order. */
export function refsOf(ran: Ran): string[] {
  return report(ran).blocks.flatMap(({ action, ref }) =>
    action === 'kept' || ref === null ? [] : [ref],
  );
}
