import { anthropic } from './anthropic.ts';
import { claudeCode } from './claude-code/index.ts';
import { codex } from './codex/index.ts';
import { copilotCli } from './copilot/index.ts';
import { factoryDroid } from './factory-droid.ts';
import type { DocumentFormat, Format } from './format.ts';
import { openaiChat } from './openai-chat.ts';
import { pi, piV1 } from './pi/index.ts';
import { strandsLog } from './strands/log.ts';
import { converse, strandsPy, strandsTs } from './strands/snapshots.ts';

/** Every format that ctx reads and writes. A new one is a file and a line here. */
export const FORMATS: readonly Format[] = [
  claudeCode,
  codex,
  openaiChat,
  anthropic,
  strandsTs,
  strandsPy,
  strandsLog,
  converse,
  pi,
  piV1,
  copilotCli,
  factoryDroid,
];

export function findFormat(name: string): Format | undefined {
  return FORMATS.find((format) => format.name === name);
}

export function isDocumentFormat(format: Format): format is DocumentFormat {
  return format.layout !== 'jsonl';
}
