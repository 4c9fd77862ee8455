import { describe, expect, it } from 'vitest';
import {
  candidates,
  choiceOf,
  choicesOf,
  type Droppable,
  droppable,
  keyOf,
  takenBy,
  tokensLeft,
} from '../../src/cli/choices.ts';
import type { BlockRow, Report } from '../../src/report/report.ts';
import { Session, tokensOf } from '../masking/build.ts';

/** A plan that takes the larger of two results, and one that drops everything that it keeps. */
async function planned(): Promise<{ report: Report; dropped: Report; could: Droppable }> {
  const session = new Session()
    .user('Go.')
    .read('a', tokensOf(2000, 'large'))
    .calls({ name: 'Bash', input: {}, result: tokensOf(300, 'small') })
    .says('So it is.')
    .user('Good.')
    .says('Bye.');
  const steps = [['drop', 'toolResults:blockThreshold=1000']] as const;
  const { report } = await session.compact(steps);
  const kept = candidates(report);
  const actions = new Map(kept.map((key) => [key, 'dropped'] as const));
  const dropped = await session.compact(steps, { manual: { kept: new Set(kept), actions } });
  return { report, dropped: dropped.report, could: droppable(dropped.report) };
}

const results = ({ blocks }: Report) => blocks.filter(({ kind }) => kind === 'toolResult');
const keys = (rows: readonly (BlockRow | undefined)[]) => rows.map((row) => keyOf(row as BlockRow));

describe('the choice of blocks', () => {
  it('offers what leaves and what could leave, by tool, and nothing that may not', async () => {
    const { report, could } = await planned();
    const [large, small] = results(report);
    // Of the texts: the first message and the last are protected, and a marker would be longer than the others.
    expect(choicesOf(report, could)).toEqual({
      Read: [
        {
          value: keyOf(large as BlockRow),
          label: `#${large?.index}  2,000 tokens`,
          hint: `dropped, ${large?.tokensAfter} left`,
        },
      ],
      Bash: [
        {
          value: keyOf(small as BlockRow),
          label: `#${small?.index}  300 tokens`,
          hint: 'below-block-threshold',
        },
      ],
    });
    expect(takenBy(report)).toEqual(keys([large]));
  });

  it('drops what is put in and keeps what is taken out; the rest stays as planned', async () => {
    const { report, could } = await planned();
    const [large, small] = results(report);
    expect(choiceOf(report, could, keys([small]))).toEqual({
      kept: new Set(keys([large, small])),
      actions: new Map([[keyOf(small as BlockRow), 'dropped']]),
    });
    expect(choiceOf(report, could, takenBy(report)).kept.size).toBe(0);
  });

  it('counts what a choice leaves, as the plan that carries it out does', async () => {
    const { report, could, dropped } = await planned();
    const [large, small] = results(report);
    const left = (...chosen: readonly (BlockRow | undefined)[]) =>
      tokensLeft(report, could, keys(chosen));
    expect(left(large)).toBe(report.tokens.after);
    expect(left()).toBe(report.tokens.before);
    expect(left(large, small)).toBe(dropped.tokens.after);
  });

  it('tells the conversations of a dataset apart', async () => {
    const line = await planned();
    const report = {
      ...line.report,
      blocks: ['line 1', 'line 2'].flatMap((conversation) =>
        line.report.blocks.map((row) => ({ ...row, conversation })),
      ),
    };
    const taken = takenBy(report);
    expect(new Set(taken).size).toBe(2);
    const [, second = ''] = taken;
    const [first] = taken;
    expect(choiceOf(report, new Map(), [second]).kept).toEqual(new Set([first]));
    const labels = Object.values(choicesOf(report, new Map())).flat();
    expect(labels.map(({ label }) => label.slice(0, 6))).toEqual(['line 1', 'line 2']);
  });
});
