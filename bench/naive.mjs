// The obvious program, for comparison: the whole file as one string, JSON.parse and JSON.stringify of every line,
// tiktoken over every block. Usage: node bench/naive.mjs IN OUT STASH
import { readFileSync, writeFileSync } from 'node:fs';
import { get_encoding } from 'tiktoken';

const LIMIT = 2500;
const [input, output, stashPath] = process.argv.slice(2);
if (stashPath === undefined) {
  process.stderr.write('usage: naive.mjs IN OUT STASH\n');
  process.exit(2);
}
const encoder = get_encoding('o200k_base');
const count = (text) => encoder.encode(text, [], []).length;
const stash = [];
let total = 0;

const resultText = ({ content }) =>
  typeof content === 'string'
    ? content
    : (content ?? [])
        .filter((item) => item.type === 'text')
        .map((item) => item.text)
        .join('\n');

/** Counts a result; a large one is stashed and becomes its head and tail. */
const compactResult = (block) => {
  const text = resultText(block);
  const tokens = count(text);
  total += tokens;
  if (tokens <= LIMIT) return;
  stash.push({ id: block.tool_use_id, tokens, content: block.content });
  block.content = `${text.slice(0, 1000)}\n[... ${text.length - 1500} chars elided ...]\n${text.slice(-500)}`;
};

const countBlock = (block) => {
  if (block.type === 'text') total += count(block.text);
  else if (block.type === 'thinking') total += count(block.thinking);
  else if (block.type === 'tool_use') total += count(JSON.stringify(block.input));
  else if (block.type === 'tool_result') compactResult(block);
};

const compactLine = (line) => {
  if (line === '') return line;
  const record = JSON.parse(line);
  const content = record.message?.content;
  if (typeof content === 'string') total += count(content);
  else if (Array.isArray(content)) content.forEach(countBlock);
  return JSON.stringify(record);
};

writeFileSync(output, readFileSync(input, 'utf8').split('\n').map(compactLine).join('\n'));
writeFileSync(stashPath, JSON.stringify(stash));
process.stdout.write(`${total} tokens, ${stash.length} results stashed\n`);
