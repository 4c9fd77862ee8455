import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Remembers where a stash is, in the user-level list. Best effort: it never fails a run. */
export function rememberStash(list: string | undefined, stash: string): void {
  if (list === undefined) return;
  const path = resolve(stash);
  try {
    if (existsSync(list) && readFileSync(list, 'utf8').split('\n').includes(path)) return;
    mkdirSync(dirname(list), { recursive: true, mode: 0o700 });
    appendFileSync(list, `${path}\n`, { mode: 0o600 });
  } catch {
    // The stash itself is safe; only finding it by ref alone is less easy.
  }
}
