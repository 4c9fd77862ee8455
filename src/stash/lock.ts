import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stashError } from '../errors.ts';

/**
 * Takes the one writer's lock of a stash: a file beside it that names its owner. The lock of an owner that is no
 * longer running is taken over.
 * @throws CtxError with exit 5 while another process writes.
 */
export function lockStash(path: string): () => void {
  const lock = `${path}.lock`;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
      return releaser(lock);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      // A full disk leaves the file without its content.
      if (code === 'ENOSPC' || code === 'EDQUOT') rmSync(lock, { force: true });
      if (code !== 'EEXIST') throw cause;
      if (isAlive(lock)) break;
      rmSync(lock, { force: true });
    }
  }
  throw stashError('stash-locked', `another ctx is writing ${path}`, {
    hint: `wait for it, or remove ${lock} when none runs`,
  });
}

/** Also when the process ends early, as it does when a pipe behind it closes. */
function releaser(lock: string): () => void {
  const remove = () => rmSync(lock, { force: true });
  process.once('exit', remove);
  return () => {
    process.off('exit', remove);
    remove();
  };
}

function isAlive(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    if (!Number.isInteger(pid) || pid <= 0) return false;
    if (pid === process.pid) return true;
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}
