import { anthropic } from './anthropic.ts';
import { claudeCode } from './claude-code/index.ts';
import { codex } from './codex/index.ts';
import type { DocumentFormat, Format } from './format.ts';
import { geminiApi } from './gemini/api.ts';
import { geminiCli, geminiCliJson } from './gemini/session.ts';
import { openaiChat } from './openai-chat.ts';
import { qwenCode } from './qwen-code/index.ts';
import { strandsLog } from './strands/log.ts';
import { converse, strandsPy, strandsTs } from './strands/snapshots.ts';

/** Every format that ctx reads and writes. A new one is a file and a line here. */
export const FORMATS: readonly Format[] = [
  claudeCode,
  codex,
  geminiCli,
  geminiCliJson,
  geminiApi,
  qwenCode,
  openaiChat,
  anthropic,
  strandsTs,
  strandsPy,
  strandsLog,
  converse,
];

export function findFormat(name: string): Format | undefined {
  return FORMATS.find((format) => format.name === name);
}

export function isDocumentFormat(format: Format): format is DocumentFormat {
  return format.layout !== 'jsonl';
}
