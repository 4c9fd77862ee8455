import { anthropic } from './anthropic.ts';
import { linesOf } from './array/lines.ts';
import { atif } from './atif.ts';
import { claudeCode } from './claude-code/index.ts';
import { cline, rooCode } from './cline/index.ts';
import { codex } from './codex/index.ts';
import { copilotCli } from './copilot/index.ts';
import { factoryDroid } from './factory-droid.ts';
import type { DocumentFormat, Format } from './format.ts';
import { geminiApi } from './gemini/api.ts';
import { geminiCli, geminiCliJson } from './gemini/session.ts';
import { goose, gooseExport } from './goose/formats.ts';
import { langchain } from './langchain/index.ts';
import { miniSweAgent } from './mini-swe-agent.ts';
import { oneringai, oneringaiJournal } from './oneringai/index.ts';
import { openaiChat } from './openai-chat.ts';
import { opencode } from './opencode/export.ts';
import { opencodeStorage } from './opencode/storage.ts';
import { openhands, openhandsLog } from './openhands/index.ts';
import { openhandsSdk, openhandsSdkLog } from './openhands/sdk-files.ts';
import { otelGenai } from './otel.ts';
import { pi, piV1 } from './pi/index.ts';
import { qwenCode } from './qwen-code/index.ts';
import { openaiResponses, openaiResponsesJsonl } from './responses/index.ts';
import { sharegpt } from './sharegpt.ts';
import { strandsLog } from './strands/log.ts';
import { converse, strandsPy, strandsTs } from './strands/snapshots.ts';
import { sweAgent } from './swe-agent/index.ts';
import { vercelModel } from './vercel/model.ts';
import { vercelUi } from './vercel/ui.ts';

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
  cline,
  rooCode,
  oneringai,
  oneringaiJournal,
  openaiResponses,
  openaiResponsesJsonl,
  vercelUi,
  vercelModel,
  langchain,
  otelGenai,
  pi,
  piV1,
  copilotCli,
  factoryDroid,
];

/** Datasets: JSON Lines whose lines are documents of a format. Every document format has one. */
export const DATASETS: readonly Format[] = FORMATS.filter(isDocumentFormat)
  .filter(
    ({ layout, parts, dataset }) => layout === 'json' && parts === undefined && dataset !== false,
  )
  .map((format) => linesOf(format, datasetName(format)));

/** The dataset whose lines are documents of a format. */
export function datasetOf(format: Format): Format | undefined {
  const name = datasetName(format);
  return DATASETS.find((dataset) => dataset.name === name);
}

/** A client's own file of lines may have the plain name already. */
function datasetName({ name }: Format): string {
  const plain = `${name}-jsonl`;
  return FORMATS.some((format) => format.name === plain) ? `${name}-dataset` : plain;
}

export function findFormat(name: string): Format | undefined {
  return [...FORMATS, ...DATASETS].find((format) => format.name === name);
}

export function isDocumentFormat(format: Format): format is DocumentFormat {
  return format.layout !== 'jsonl';
}
