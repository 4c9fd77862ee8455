import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { append } from '../append.ts';
import { inputError } from '../errors.ts';
import { defaultOutput } from '../load/paths.ts';

/** Expands globs that the shell left alone. A name that exists is a name, whatever is in it. */
export async function expandFiles(names: readonly string[], cwd: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    if (name === '-' || existsSync(resolve(cwd, name)) || !isGlob(name)) {
      found.push(name);
      continue;
    }
    const { glob } = await import('tinyglobby');
    const matches = await glob(name.replaceAll('\\', '/'), { cwd, dot: true, onlyFiles: true });
    const transcripts = matches.filter((path) => !path.endsWith('.stash')).toSorted();
    if (transcripts.length === 0) throw inputError(`no file matches ${name}`);
    append(found, transcripts);
  }
  return [...new Set(found)];
}

/** Whether a name has characters that a shell would expand. */
export function isGlob(name: string): boolean {
  return /[*?[\]{}]/.test(name);
}

/** Folders in which a client lists every file as a session. */
const SESSION_FOLDERS = [
  '/.claude/projects/',
  '/.codex/sessions/',
  '/.codex/archived_sessions/',
  '/.gemini/tmp/',
  '/.pi/agent/sessions/',
  '/.oneringai/agents/',
];

/** Whether a client would list an output beside this input as a second session. */
export function inSessionFolder(path: string, cwd: string): boolean {
  const full = resolve(cwd, path).replaceAll('\\', '/');
  return SESSION_FOLDERS.some((folder) => full.includes(folder));
}

/** Where the output goes when nothing was named: beside the input, but out of a client's session folder. */
export function outputPath(path: string, cwd: string, outDir: string | undefined): string {
  if (outDir !== undefined) return join(outDir, basename(path.replace(/[/\\]+$/, '')));
  const beside = defaultOutput(path);
  return inSessionFolder(path, cwd) ? basename(beside) : beside;
}

/** The user-level list of stashes; undefined when it is turned off. */
export function stashList(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env['CTX_NO_INDEX'] === '1') return undefined;
  const home = env['HOME'] ?? homedir();
  const data =
    env['XDG_DATA_HOME'] ??
    (process.platform === 'win32' ? env['LOCALAPPDATA'] : undefined) ??
    (process.platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : join(home, '.local', 'share'));
  return join(data, 'ctx', 'stashes');
}
