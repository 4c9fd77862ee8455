import * as clack from '@clack/prompts';
import { interrupted } from '../errors.ts';
import type { Transcript } from '../indexing/transcript.ts';
import { commas } from '../marker/marker.ts';
import { manualKey } from '../plan/manual-key.ts';
import { Reader } from '../plan/reader.ts';
import type { Prepared } from '../prepare.ts';
import type { Report } from '../report/report.ts';
import { safeLines } from '../report/safe.ts';
import { type Choices, choicesOf, type Droppable, takenBy, tokensLeft } from './choices.ts';

/** Characters of a block that a preview shows. */
const PREVIEW = 1200;

/**
 * Lets a person choose blocks, grouped by tool, look at them, and see what is left.
 * @returns the keys of the chosen blocks
 * @throws CtxError with exit 130 when the person gives up.
 */
export async function chooseBlocks(
  report: Report,
  could: Droppable,
  prepared: Prepared,
): Promise<readonly string[]> {
  const choices = choicesOf(report, could);
  if (Object.keys(choices).length === 0) {
    clack.outro('There is nothing to choose.');
    return takenBy(report);
  }
  let chosen = takenBy(report);
  for (;;) {
    const left = tokensLeft(report, could, chosen);
    const next = await clack.select({
      message: `${commas(report.tokens.before)} tokens, about ${commas(left)} left with ${chosen.length} blocks taken`,
      options: [
        { value: 'done', label: 'Take this' },
        { value: 'choose', label: 'Choose blocks' },
        { value: 'look', label: 'Look at a block' },
      ],
    });
    if (clack.isCancel(next)) throw interrupted();
    if (next === 'done') return chosen;
    if (next === 'look') await look(prepared, choices);
    else {
      const picked = await clack.groupMultiselect({
        message: 'Which blocks leave? (space chooses, enter ends)',
        options: choices,
        initialValues: chosen,
        required: false,
      });
      if (!clack.isCancel(picked)) chosen = picked;
    }
  }
}

async function look({ transcript }: Prepared, choices: Choices): Promise<void> {
  const options = Object.entries(choices).flatMap(([group, list]) =>
    list.map(({ value, label, hint }) => ({ value, label: `${label}  ${group}`, hint })),
  );
  const picked = await clack.select({ message: 'Which block?', options, maxItems: 12 });
  if (clack.isCancel(picked)) return;
  const text = textOf(transcript, picked);
  if (text === undefined) {
    clack.log.warn('There is no text in this block.');
    return;
  }
  const more =
    text.length > PREVIEW ? `\n[... ${commas(text.length - PREVIEW)} more characters ...]` : '';
  clack.note(safeLines(text.slice(0, PREVIEW)) + more);
}

function textOf(transcript: Transcript, key: string): string | undefined {
  for (const { id, blocks } of transcript.conversations) {
    const block = blocks.find(({ index }) => manualKey(id, index) === key);
    if (block !== undefined) return new Reader(transcript).plainText(block);
  }
  return undefined;
}
