// Prints what the preset `lossless` saves for each transcript of the given folders, as a table.
// With --write it also goes between the marks of docs/quality.md. Needs a build.
// Usage: node scripts/lossless-table.mjs [--write] FOLDER...
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { compactFile } from '../dist/compact.js';
import { findPreset } from '../dist/presets/presets.js';

const PAGE = new URL('../docs/quality.md', import.meta.url);
const MARKS = /(<!-- lossless -->\n)[\s\S]*(<!-- end of lossless -->)/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const rows = [];
for (const path of positionals.flatMap(transcriptsIn)) rows.push(await rowOf(path));
const table = `| session | tokens before | tokens saved | share | bytes before | bytes saved |
| --- | ---: | ---: | ---: | ---: | ---: |
${rows.join('\n')}`;
process.stdout.write(`${table}\n`);
if (values.write) {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    page.replace(MARKS, (_, start, end) => `${start}\n${table}\n\n${end}`),
  );
}

/** Files that may be a transcript: those beside a client's session belong to it. */
function transcriptsIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/subagents|tool-results|\.meta\./.test(path))
    .toSorted();
}

async function rowOf(path) {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-lossless-'));
  try {
    const input = join(folder, basename(path));
    cpSync(path, input);
    const { specs, emergency } = findPreset('lossless');
    const now = new Date().toISOString();
    const { tokens, bytes } = await compactFile(input, {
      specs,
      emergency,
      output: join(folder, 'out'),
      now,
    });
    const saved = tokens.before - tokens.after;
    const share = tokens.before === 0 ? 0 : (saved / tokens.before) * 100;
    const [client, name] = path.split('/').slice(-3, -1);
    const title = client === 'samples' || name === 'samples' ? basename(path) : `${client}/${name}`;
    return `| ${title} | ${commas(tokens.before)} | ${commas(saved)} | ${share.toFixed(1)} % | ${commas(bytes.before)} | ${commas(bytes.before - bytes.after)} |`;
  } catch (cause) {
    return `| ${basename(dirname(path))} | ${cause.message} | | | | |`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function commas(value) {
  return value.toLocaleString('en-US');
}
