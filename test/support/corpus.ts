import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DATASETS, FORMATS } from '../../src/formats/registry.ts';
import { sha256Hex } from '../../src/hash/hash.ts';

const ROOT: string = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** A file or session folder that the contract runs over. */
export interface Subject {
  readonly name: string;
  readonly path: string;
  /** Format that it must be recognised as; undefined for one that is not read. */
  readonly format?: string;
}

/** Samples, by the format in their name. */
export function samples(): Subject[] {
  const names = readdirSync(join(ROOT, 'samples')).filter(
    (name) => !name.includes('.compact') && !name.includes('.restored'),
  );
  return names.map((name) => {
    const path = join(ROOT, 'samples', name);
    const folder = statSync(path).isDirectory();
    const format = [...FORMATS, ...DATASETS]
      .map((known) => known.name)
      .filter((known) => name.startsWith(known))
      .toSorted((left, right) => right.length - left.length)[0];
    return {
      name,
      path: folder ? join(path, 'session_shop') : path,
      ...(format === undefined ? {} : { format }),
    };
  });
}

/** Sessions of real clients, when they are there: `shared/transcripts` beside the repository. */
export function realSessions(): Subject[] {
  const root = join(ROOT, '..', 'shared', 'transcripts');
  const clients = {
    claude: 'claude-code',
    'claude-old': 'claude-code',
    codex: 'codex',
    opencode: 'opencode',
    gemini: 'gemini-cli',
    pi: 'pi',
  };
  return Object.entries(clients).flatMap(([client, format]) => {
    const folder = join(root, client);
    if (!existsSync(folder)) return [];
    return readdirSync(folder).flatMap((session) =>
      readdirSync(join(folder, session))
        .filter((name) => /\.jsonl?$/.test(name))
        .map((name) => ({
          name: `${client}/${session}`,
          path: join(folder, session, name),
          format,
        })),
    );
  });
}

/** Bytes of every file of a subject, by relative path; `''` for a single file. */
export function contents(path: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  if (!statSync(path).isDirectory()) return found.set('', readFileSync(path));
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
    if (statSync(join(path, name)).isFile()) found.set(name, readFileSync(join(path, name)));
  }
  return found;
}

/** sha256 of every file of a subject, by relative path: large buffers compare slowly. */
export function hashes(path: string): Record<string, string> {
  return Object.fromEntries([...contents(path)].map(([name, bytes]) => [name, sha256Hex(bytes)]));
}
