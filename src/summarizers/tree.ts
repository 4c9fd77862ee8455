/** A program and what it started. */
export interface Tree {
  readonly pid?: number | undefined;
  readonly stdout: { destroy(): unknown };
  readonly stderr: { destroy(): unknown };
  kill(signal: NodeJS.Signals): boolean;
}

const running = new Set<Tree>();

/** Sends a signal to a program and, where there are process groups, to all of its group. */
export function endTree(tree: Tree, signal: NodeJS.Signals): void {
  if (tree.pid === undefined) return;
  try {
    if (process.platform === 'win32') tree.kill(signal);
    else process.kill(-tree.pid, signal);
  } catch {
    // It is gone already.
  }
}

/** Waits for something; when this process exits before, the program is killed with it. */
export async function watched<T>(tree: Tree, wait: () => Promise<T>): Promise<T> {
  if (running.size === 0) process.on('exit', killAll);
  running.add(tree);
  try {
    return await wait();
  } finally {
    running.delete(tree);
    if (running.size === 0) process.off('exit', killAll);
  }
}

function killAll(): void {
  for (const tree of running) endTree(tree, 'SIGKILL');
}
