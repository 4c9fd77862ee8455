import { detectFormat } from '../../src/detect/detect.ts';
import { readHead } from '../../src/detect/head.ts';
import { indexTranscript, type Transcript } from '../../src/indexing/transcript.ts';
import { memorySource } from '../../src/load/source.ts';
import { createMeter } from '../../src/measure/meter.ts';
import { checkTranscript } from '../../src/verify/check.ts';

const LENGTH = createMeter({ name: 'heuristic', count: (text) => text.length }, 'other');

/** A document as its detected format reads it; a token is a character. */
export function index(value: unknown): Transcript {
  const source = memorySource(Buffer.from(JSON.stringify(value)), 'file.json');
  const format = detectFormat(readHead(source), 'file.json');
  const placed = { present: false, find: () => undefined };
  return indexTranscript(source, format, { meter: LENGTH, placed, id: 'main' });
}

/** Messages with their blocks: role, then each block as kind, pointer and what else tells it apart. */
export function outline(value: unknown): string[] {
  const [conversation] = index(value).conversations;
  return (conversation?.messages ?? []).map(({ role, blocks, real, records }) => {
    const own = blocks.map((at) => {
      const { kind, pointer, shape, tool, callId, isError, signed } =
        conversation?.blocks[at] ?? {};
      const facts = [
        kind,
        shape === undefined ? '-' : pointer,
        tool === undefined ? '' : tool,
        callId ?? '',
        isError === undefined ? '' : isError ? 'failed' : 'ok',
        signed === true ? 'signed' : '',
      ];
      return facts.filter((fact) => fact !== '').join(' ');
    });
    return `${records.join()} ${role}${real ? ' real' : ''}: ${own.join('; ')}`;
  });
}

/** Codes of what verify finds. */
export function findings(value: unknown): string[] {
  return checkTranscript(index(value)).map(({ code }) => code);
}
