// The obvious program, for comparison: the whole file as one string, JSON.parse and JSON.stringify of every
// line, tiktoken over every block. Usage: node bench/naive.mjs IN OUT STASH
import { readFileSync, writeFileSync } from 'node:fs';
import { get_encoding } from 'tiktoken';

const [input, output, stashPath] = process.argv.slice(2);
const encoder = get_encoding('o200k_base');
const count = (text) => encoder.encode(text, [], []).length;
const stash = [];

const compactResult = (block) => {
  const text =
    typeof block.content === 'string'
      ? block.content
      : block.content.map((item) => item.text).join('\n');
  if (count(text) <= 2500) return;
  stash.push({ id: block.tool_use_id, content: block.content });
  block.content = `${text.slice(0, 1000)}\n[... elided ...]\n${text.slice(-500)}`;
};

const countBlock = (block) => {
  if (block.type === 'text') count(block.text);
  else if (block.type === 'thinking') count(block.thinking);
  else if (block.type === 'tool_use') count(JSON.stringify(block.input));
  else if (block.type === 'tool_result') compactResult(block);
};

const compactLine = (line) => {
  if (line === '') return line;
  const record = JSON.parse(line);
  const content = record.message?.content;
  if (typeof content === 'string') count(content);
  else if (Array.isArray(content)) content.forEach(countBlock);
  return JSON.stringify(record);
};

writeFileSync(output, readFileSync(input, 'utf8').split('\n').map(compactLine).join('\n'));
writeFileSync(stashPath, JSON.stringify(stash));
