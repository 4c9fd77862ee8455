// Writes samples/: one readable transcript per format. Usage: node scripts/build-samples.mjs [FOLDER]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { claudeCode } from './samples/claude-code.mjs';
import { cline, clineSdk, rooCode } from './samples/cline.mjs';
import { codex, codexLine, codexOld } from './samples/codex.mjs';
import { copilot } from './samples/copilot.mjs';
import { droid } from './samples/droid.mjs';
import { geminiApi, geminiCli, geminiCliJson } from './samples/gemini.mjs';
import { goose, gooseExport } from './samples/goose.mjs';
import { dicts, dumped, state } from './samples/langchain.mjs';
import { anthropicBody, openaiBody, openaiMessages } from './samples/messages.mjs';
import { oneringai, oneringaiJournal } from './samples/oneringai.mjs';
import { opencode, opencodeStorage } from './samples/opencode.mjs';
import {
  openhandsEvents,
  openhandsLog,
  openhandsSdk,
  openhandsSdkLog,
} from './samples/openhands.mjs';
import { otelSpan } from './samples/otel.mjs';
import { pi, piOmp, piV1 } from './samples/pi.mjs';
import { qwenCode } from './samples/qwen-code.mjs';
import { responsesBody, responsesSession } from './samples/responses.mjs';
import { story } from './samples/story.mjs';
import { converse, pythonJson, strandsLog, strandsPy, strandsTs } from './samples/strands.mjs';
import { atif, miniSweAgent, sharegpt, sweAgent } from './samples/trajectories.mjs';
import { modelMessages, uiChat, uiMessagesV4 } from './samples/vercel.mjs';

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
  // Datasets: the large conversation is neither the first nor the last line.
  ['openai-chat-jsonl.jsonl', lines([story(24), LONG, story(12)].map(openaiBody))],
  ['anthropic-jsonl.jsonl', lines([story(24), LONG, story(12)].map(anthropicBody))],
  ['converse.json', pretty(converse(LONG))],
  ['goose.jsonl', lines(goose(LONG))],
  ['goose-export.json', pretty(gooseExport(LONG))],
  ['opencode.json', pretty(opencode(LONG))],
  ['swe-agent.traj', pretty(sweAgent(SHORTER))],
  ['mini-swe-agent.json', pretty(miniSweAgent(SHORTER))],
  ['atif.json', pretty(atif(LONG))],
  ['sharegpt.json', pretty(sharegpt(LONG))],
  ['openhands.json', pythonJson(openhandsEvents(LONG))],
  ['openhands-sdk.json', pythonJson(openhandsSdk(LONG))],
  ['cline.json', JSON.stringify(cline(LONG))],
  ['cline-sdk.json', `${JSON.stringify(clineSdk(LONG), null, '\t')}\n`],
  ['roo-code.json', JSON.stringify(rooCode(LONG))],
  ['oneringai.json', pretty(oneringai(LONG))],
  ['oneringai-journal.jsonl', lines(oneringaiJournal(LONG))],
  ['openai-responses.json', pretty(responsesBody(LONG))],
  ['openai-responses-jsonl.jsonl', lines(responsesSession(LONG))],
  ['vercel-ai.json', pretty(uiChat(LONG))],
  ['vercel-ai-v4.json', pretty(uiMessagesV4(SHORT))],
  ['vercel-ai-model.json', pretty(modelMessages(LONG))],
  ['langchain-state.json', pretty(state(SHORT))],
  ['langchain-dicts.json', pythonJson(dicts(SHORT))],
  ['langchain-dumpd.json', pythonJson(dumped(SHORT))],
  ['otel-genai.json', pretty(otelSpan(LONG))],
  ['pi.jsonl', lines(pi(LONG))],
  ['pi-omp.jsonl', lines(piOmp(LONG))],
  ['pi-v1.jsonl', lines(piV1(LONG))],
  ['copilot-cli.jsonl', lines(copilot(LONG))],
  ['factory-droid.jsonl', lines(droid(LONG))],
]);
for (const [path, value] of opencodeStorage(SHORT)) {
  files.set(`opencode-storage/session_shop/${path}`, JSON.stringify(value, null, 2));
}
for (const [path, value] of strandsLog(LONG)) {
  files.set(`strands-log/session_shop/${path}`, JSON.stringify(value, null, 2));
}
for (const [path, value] of openhandsLog(SHORTER))
  files.set(`openhands-log/session_shop/${path}`, pythonJson(value));
for (const [path, value] of openhandsSdkLog(LONG))
  files.set(`openhands-sdk-log/session_shop/${path}`, pythonJson(value));

for (const [path, text] of files) {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}
