import * as clack from '@clack/prompts';
import { commas } from '../marker/marker.ts';
import { Reader } from '../plan/reader.ts';
import type { Prepared } from '../prepare.ts';
import type { BlockRow, Report } from '../report/report.ts';
import { safe, safeLines } from '../report/safe.ts';
import { choicesOf, chosenRows, takenBy, tokensLeft } from './choices.ts';

/** Characters of a block that a preview shows. */
const PREVIEW = 1200;

/**
 * Lets a person choose blocks, grouped by tool, look at them, and see what is left. Gives the rows with the choice, or
 * undefined when it was cancelled.
 */
export async function chooseBlocks(
  report: Report,
  prepared: Prepared,
): Promise<BlockRow[] | undefined> {
  const choices = choicesOf(report);
  if (Object.keys(choices).length === 0) {
    clack.outro('There is nothing to choose.');
    return undefined;
  }
  let chosen = takenBy(report);
  for (;;) {
    const left = tokensLeft(report, chosen);
    const next = await clack.select({
      message: `${commas(report.tokens.before)} tokens, about ${commas(left)} left with ${chosen.length} blocks taken`,
      options: [
        { value: 'done', label: 'Take this' },
        { value: 'choose', label: 'Choose blocks' },
        { value: 'look', label: 'Look at a block' },
      ],
    });
    if (clack.isCancel(next)) return undefined;
    if (next === 'done') return chosenRows(report, chosen);
    if (next === 'look') await look(prepared);
    else {
      const picked = await clack.groupMultiselect({
        message: 'Which blocks leave? (space chooses, enter ends)',
        options: choices,
        initialValues: chosen,
        required: false,
      });
      if (clack.isCancel(picked)) return undefined;
      chosen = picked;
    }
  }
}

async function look({ transcript }: Prepared): Promise<void> {
  const typed = await clack.text({ message: 'Number of the block (#)' });
  if (clack.isCancel(typed)) return;
  const block = transcript.conversations[0]?.blocks[Number(typed)];
  const text = block === undefined ? undefined : new Reader(transcript).plainText(block);
  if (block === undefined || text === undefined) {
    clack.log.warn(`There is no text in block ${safe(typed)}.`);
    return;
  }
  const more =
    text.length > PREVIEW ? `\n[... ${commas(text.length - PREVIEW)} more characters ...]` : '';
  clack.note(
    safeLines(text.slice(0, PREVIEW)) + more,
    `#${block.index} ${block.tool ?? block.kind}`,
  );
}
