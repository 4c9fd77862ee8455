import { anthropic } from './anthropic.ts';
import { atif } from './atif.ts';
import { claudeCode } from './claude-code/index.ts';
import { codex } from './codex/index.ts';
import type { DocumentFormat, Format } from './format.ts';
import { goose, gooseExport } from './goose/formats.ts';
import { miniSweAgent } from './mini-swe-agent.ts';
import { openaiChat } from './openai-chat.ts';
import { opencode } from './opencode/export.ts';
import { opencodeStorage } from './opencode/storage.ts';
import { openhands, openhandsLog } from './openhands/index.ts';
import { openhandsSdk, openhandsSdkLog } from './openhands/sdk-files.ts';
import { sharegpt } from './sharegpt.ts';
import { strandsLog } from './strands/log.ts';
import { converse, strandsPy, strandsTs } from './strands/snapshots.ts';
import { sweAgent } from './swe-agent/index.ts';

/** Every format that ctx reads and writes. A new one is a file and a line here. */
export const FORMATS: readonly Format[] = [
  claudeCode,
  codex,
  openaiChat,
  anthropic,
  opencode,
  opencodeStorage,
  goose,
  gooseExport,
  strandsTs,
  strandsPy,
  strandsLog,
  converse,
  openhands,
  openhandsLog,
  openhandsSdk,
  openhandsSdkLog,
  sweAgent,
  miniSweAgent,
  atif,
  sharegpt,
];

export function findFormat(name: string): Format | undefined {
  return FORMATS.find((format) => format.name === name);
}

export function isDocumentFormat(format: Format): format is DocumentFormat {
  return format.layout !== 'jsonl';
}
