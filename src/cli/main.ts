import { VERSION } from '../version.ts';
import type { Io } from './io.ts';

/**
 * Runs the command line and gives the exit code. `--version` is answered before anything is loaded.
 */
export async function run(argv: readonly string[], io?: Io): Promise<number> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    (io?.stdout ?? process.stdout).write(`${VERSION}\n`);
    return 0;
  }
  const [{ runProgram }, { processIo }] = await Promise.all([
    import('./program.ts'),
    import('./process-io.ts'),
  ]);
  return runProgram(argv, io ?? processIo());
}
