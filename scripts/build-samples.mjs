// Writes samples/: one readable transcript per format. Usage: node scripts/build-samples.mjs [FOLDER]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { claudeCode } from './samples/claude-code.mjs';
import { codex, codexLine, codexOld } from './samples/codex.mjs';
import { geminiApi, geminiCli, geminiCliJson } from './samples/gemini.mjs';
import { anthropicBody, openaiBody, openaiMessages } from './samples/messages.mjs';
import { qwenCode } from './samples/qwen-code.mjs';
import { story } from './samples/story.mjs';
import { converse, pythonJson, strandsLog, strandsPy, strandsTs } from './samples/strands.mjs';

const folder = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..', 'samples');

// Claude Code and Codex keep each result twice, so that their story has a shorter test log.
const LONG = story(335);
const SHORT = story(208);
const SHORTER = story(196);
// Gemini CLI sends each result from two places.
const SHORTEST = story(150);

const lines = (records, line = JSON.stringify) =>
  records.map((record) => `${line(record)}\n`).join('');
const pretty = (value) => `${JSON.stringify(value, null, 2)}\n`;

const files = new Map([
  ['claude-code.jsonl', lines(claudeCode(SHORT))],
  ['codex.jsonl', lines(codex(SHORTER), codexLine)],
  ['codex-old.jsonl', lines(codexOld(LONG))],
  ['gemini-cli.jsonl', lines(geminiCli(SHORTEST))],
  ['gemini-cli-json.json', pretty(geminiCliJson(LONG))],
  ['gemini-api.json', pretty(geminiApi(LONG))],
  ['qwen-code.jsonl', lines(qwenCode(LONG))],
  ['openai-chat.json', pretty(openaiBody(LONG))],
  ['openai-chat-array.json', pretty(openaiMessages(LONG))],
  ['anthropic.json', pretty(anthropicBody(LONG))],
  ['strands-ts.json', JSON.stringify(strandsTs(LONG))],
  ['strands-py.json', pythonJson(strandsPy(LONG))],
  ['converse.json', pretty(converse(LONG))],
]);
for (const [path, value] of strandsLog(LONG)) {
  files.set(`strands-log/session_shop/${path}`, JSON.stringify(value, null, 2));
}

for (const [path, text] of files) {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}
