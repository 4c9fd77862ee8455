import { EXIT, interrupted } from '../errors.ts';
import type { Io, Output } from './io.ts';

/** The real process as an Io. A closed pipe ends the program quietly. */
export function processIo(): Io {
  quietPipe(process.stdout);
  quietPipe(process.stderr);
  const { signal, checkpoint } = makeInterruption();
  return {
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    stdin: { isTTY: process.stdin.isTTY === true, read: readStdin },
    env: process.env,
    cwd: process.cwd(),
    now: () => new Date().toISOString(),
    checkpoint,
    get interrupt() {
      return signal();
    },
  };
}

function output(stream: NodeJS.WriteStream): Output {
  return {
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.isTTY === true ? stream.columns : undefined;
    },
    write: (text) => void stream.write(text),
  };
}

/** `ctx … | head` closes the pipe early: that is no error. */
function quietPipe(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

interface Interruption {
  readonly signal: () => AbortSignal;
  readonly checkpoint: Io['checkpoint'];
}

/**
 * Before anything is written Ctrl-C simply ends the process; while somebody is asked, and during a commit, it is
 * looked at between steps. A second one ends the process whatever it does.
 */
function makeInterruption(): Interruption {
  const controller = new AbortController();
  let listening = false;
  const signal = () => {
    if (!listening) {
      listening = true;
      for (const name of ['SIGINT', 'SIGTERM'] as const)
        process.on(name, () => {
          if (controller.signal.aborted) process.exit(EXIT.interrupted);
          controller.abort(interrupted());
        });
    }
    return controller.signal;
  };
  const checkpoint = async () => {
    signal();
    await new Promise((resolve) => setImmediate(resolve));
    if (controller.signal.aborted) throw interrupted();
  };
  return { signal, checkpoint };
}
