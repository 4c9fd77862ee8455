// Writes samples/: one readable transcript per format. Usage: node scripts/build-samples.mjs [FOLDER]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  anthropicBody,
  converse,
  openaiBody,
  openaiMessages,
  strandsLog,
  strandsPy,
  strandsTs,
} from './samples/messages.mjs';
import { claudeCode, codex, codexOld } from './samples/sessions.mjs';

const folder = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..', 'samples');

const lines = (records) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const pretty = (value) => `${JSON.stringify(value, null, 2)}\n`;

const files = new Map([
  ['claude-code.jsonl', lines(claudeCode())],
  ['codex.jsonl', lines(codex())],
  ['codex-old.jsonl', lines(codexOld())],
  ['openai-chat.json', pretty(openaiBody())],
  ['openai-chat-array.json', pretty(openaiMessages())],
  ['anthropic.json', pretty(anthropicBody())],
  ['strands-ts.json', JSON.stringify(strandsTs())],
  ['strands-py.json', pretty(strandsPy())],
  ['converse.json', pretty(converse())],
]);
for (const [path, value] of strandsLog()) {
  files.set(`strands-log/session_shop/${path}`, JSON.stringify(value, null, 2));
}

for (const [path, text] of files) {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}
