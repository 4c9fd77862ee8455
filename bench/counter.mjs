// Token counter against tiktoken: MB/s of CPU time on texts of several kinds, and long pieces.
// Run `npm run build` first, then `node bench/counter.mjs [o200k_base|cl100k_base]`.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Tiktoken } from 'tiktoken/lite';
import { createCounter } from '../dist/measure/counters.js';

const SIZE = 1 << 20;
const ROUNDS = 5;
const name = process.argv[2] ?? 'o200k_base';
const require = createRequire(import.meta.url);
const modules = new URL('../node_modules/', import.meta.url);

const encoder = JSON.parse(readFileSync(require.resolve(`tiktoken/encoders/${name}.json`)));
const tiktoken = new Tiktoken(encoder.bpe_ranks, encoder.special_tokens, encoder.pat_str);
const started = process.cpuUsage();
const counter = createCounter(name);
counter.count('The first count.');
print(`${name}: set-up ${milliseconds(started).toFixed(0)} ms CPU`);
print('corpus      ours first   ours median    tiktoken   tokens equal   (MB/s of CPU time)');
for (const [kind, texts] of Object.entries(corpora())) measure(kind, texts);
print('one piece       30k ms    300k ms     (CPU; after a warm-up)');
for (const [kind, unit] of [
  ['a', 'a'],
  ['spaces', ' '],
  ['newlines', '\n'],
  ['cjk', '界'],
  ['emoji', '😀'],
  ['marks', '\u0301'],
]) {
  counter.count(unit.repeat(10_000));
  const times = [30_000, 300_000].map((length) => best(() => counter.count(unit.repeat(length))));
  print(kind.padEnd(12) + times.map((time) => time.toFixed(1).padStart(10)).join(' '));
}

/** The first pass is the honest figure: every later one finds its pieces in the cache. */
function measure(kind, texts) {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const total = (count) => texts.reduce((sum, text) => sum + count(text), 0);
  const ours = [];
  let tokens = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    tokens = total((text) => counter.count(text));
    ours.push(milliseconds(start));
  }
  const start = process.cpuUsage();
  const expected = total((text) => tiktoken.encode_ordinary(text).length);
  const theirs = milliseconds(start);
  const median = ours.slice(1).toSorted((a, b) => a - b)[(ROUNDS - 1) >> 1];
  const speeds = [ours[0], median, theirs].map((time) => (bytes / 1000 / time).toFixed(1));
  print(
    kind.padEnd(10) +
      speeds.map((speed) => speed.padStart(13)).join('') +
      `   ${tokens === expected}`,
  );
}

function best(work) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const start = process.cpuUsage();
    work();
    least = Math.min(least, milliseconds(start));
  }
  return least;
}

/** Texts of 2 to 40 kB: real files where node_modules has them, else generated from a fixed seed. */
function corpora() {
  const random = generator(20_261_130);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const hex = (count) => Array.from({ length: count }, () => pick('0123456789abcdef')).join('');
  const words = files('.md').flatMap((text) => text.match(/[a-z]{2,}/g) ?? []);
  const ideographs = (count) =>
    Array.from({ length: count }, () =>
      String.fromCharCode(0x4e00 + Math.floor(random() ** 3 * 8000)),
    );
  const ts = files('.d.ts');
  const lines = ts.flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '');
  return {
    prose: files('.md'),
    ts,
    json: files('.json'),
    js: files('.js'),
    log: generate(
      () =>
        `2026-11-30T0${pick('123456789')}:${pick('12345')}${pick('0123456789')}:07.${hex(3)}Z ${pick(['INFO', 'WARN', 'ERROR', 'DEBUG'])} [${pick(words)}-${hex(4)}] ${pick(words)} ${pick(words)} ${pick(words)}=${Math.floor(random() * 1e5)} id=${hex(8)}\n`,
    ),
    grep: generate(
      () => `src/${pick(words)}/${pick(words)}.ts:${Math.floor(random() * 900)}:${pick(lines)}\n`,
    ),
    cjk: generate(
      () =>
        `${ideographs(4 + Math.floor(random() * 20)).join('')}${pick(['，', '。', '、', '\n'])}`,
    ),
    emoji: generate(
      () => `${pick(words)} ${String.fromCodePoint(0x1f300 + Math.floor(random() * 700))} `,
    ),
    base64: generate(() => Buffer.from(hex(114), 'hex').toString('base64')),
    hexdump: generate(
      () => `${hex(8)}: ${Array.from({ length: 8 }, () => hex(4)).join(' ')}  ................\n`,
    ),
  };

  function generate(next) {
    const texts = [];
    for (let total = 0; total < SIZE; ) {
      let text = '';
      const size = 2000 * 20 ** random();
      while (text.length < size) text += next();
      texts.push(text);
      total += text.length;
    }
    return texts;
  }
}

function files(extension) {
  const texts = [];
  let total = 0;
  for (const entry of readdirSync(modules, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const path = new URL(entry, modules);
    if (!entry.endsWith(extension) || entry.includes('tiktoken') || !statSync(path).isFile())
      continue;
    const text = readFileSync(path, 'utf8').slice(0, 40_000);
    texts.push(text);
    total += text.length;
    if (total > SIZE) break;
  }
  return texts;
}

function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function milliseconds(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
