import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { afterAll, describe, expect, it } from 'vitest';
import { VERSION } from '../src/version.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'ctx-readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

describe('the README', () => {
  it('has a library example that runs as it stands', async () => {
    const code = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const library = pathToFileURL(join(ROOT, 'dist', 'index.js')).href;
    const file = join(folder, 'example.mjs');
    writeFileSync(file, code.replace("'ctx-compact'", `'${library}'`));
    const { stdout } = await execa('node', [file], { cwd: ROOT });
    const [tokens, lines, same] = stdout.split('\n');
    const [before = 0, after = 0] = (tokens ?? '').split(' -> ').map(Number);
    expect(before).toBeGreaterThan(after);
    expect(lines).toMatch(/^\d+ lines$/);
    expect(same).toBe('true');
  });

  it('shows what the tool prints for its sample', async () => {
    const args = ['explain', 'samples/claude-code.jsonl', '--preset', 'agentic'];
    const { stdout } = await execa('node', [join(ROOT, 'bin', 'ctx.js'), ...args], { cwd: ROOT });
    const shown = readme.slice(readme.indexOf(' #  role'), readme.indexOf('    written'));
    const rows = shown
      .split('\n')
      .map((line) => line.trim().replace(/ \.\.\.$/, ''))
      .filter((line) => line !== '' && !line.startsWith('of these'));
    const plain = stdout.split('\n').map((line) => line.trim());
    for (const row of rows)
      expect(
        plain.some((line) => line.startsWith(row)),
        row,
      ).toBe(true);
  });

  it('links to files that exist', () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => link ?? '');
    expect(links.filter((link) => !existsSync(join(ROOT, link)))).toEqual([]);
  });
});

describe('the built command', () => {
  it('prints the version of the package', async () => {
    const { stdout } = await execa('node', [join(ROOT, 'bin', 'ctx.js'), '--version']);
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(stdout).toBe(version);
    expect(VERSION).toBe(version);
  });

  it('ends quietly when a pipe behind it closes', async () => {
    const command = `node ${join(ROOT, 'bin', 'ctx.js')} explain samples/claude-code.jsonl --all --json | head -c 10`;
    const { exitCode, stderr } = await execa('sh', ['-c', command], { cwd: ROOT });
    expect(exitCode).toBe(0);
    expect(stderr).toBe('');
  });
});

describe('the import rules', () => {
  it.each([
    [
      'src/plan/planted.ts',
      "import { readFileSync } from 'node:fs';\nexport const text: string = readFileSync('a', 'utf8');\n",
    ],
    [
      'src/strategies/planted.ts',
      "import { run } from '../cli/main.ts';\nexport const start: typeof run = run;\n",
    ],
  ])('refuse IO in %s', async (path, code) => {
    const biome = join(ROOT, 'node_modules', '.bin', 'biome');
    writeFileSync(join(ROOT, path), code);
    try {
      const result = await execa(biome, ['lint', path], { cwd: ROOT, reject: false });
      expect(result.exitCode).not.toBe(0);
      expect(`${result.stdout}${result.stderr}`).toContain('noRestrictedImports');
    } finally {
      rmSync(join(ROOT, path));
    }
  });
});
