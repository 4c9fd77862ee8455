import { anthropic } from './anthropic.ts';
import { linesOf } from './array/lines.ts';
import { claudeCode } from './claude-code/index.ts';
import { codex } from './codex/index.ts';
import type { DocumentFormat, Format } from './format.ts';
import { openaiChat } from './openai-chat.ts';
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
];

/** Datasets: JSON Lines whose lines are documents of a format. Every document format has one. */
export const DATASETS: readonly Format[] = FORMATS.filter(isDocumentFormat)
  .filter(({ layout }) => layout === 'json')
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
