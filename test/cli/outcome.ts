/** What a run did to the blocks of an Anthropic session, read from the file that it wrote. */

import { readFileSync } from 'node:fs';
import type { BlockRow, Report } from '../../src/report/report.ts';
import { Session, tokensOf } from '../masking/build.ts';
import { ctx, put, type Ran } from '../support/cli.ts';

export interface Outcome {
  readonly ran: Ran;
  readonly report: Report;
  /** Blocks that do not stand in the output as they stood in the input; see `named`. */
  readonly taken: readonly string[];
  /** The written output; the input when nothing was written. */
  readonly output: Buffer;
}

interface Part {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly text?: string;
}

/** Compacts a session with the heuristic counter, so that the sizes of `tokensOf` are exact. */
export async function outcome(
  session: { readonly bytes: Buffer },
  argv: readonly string[],
): Promise<Outcome> {
  put('s.json', session.bytes);
  const ran = await ctx(['compact', 's.json', '--json', '--counter', 'heuristic', ...argv]);
  if (ran.out === '') throw new Error(`no report: ${ran.err}`);
  const report = JSON.parse(ran.out) as Report;
  const output = readFileSync(report.output?.path ?? 's.json');
  return { ran, report, output, taken: takenFrom(session.bytes, output) };
}

/** `c1` the first call and `r1` its result, `t7` a text of message 7. */
export function named({ kind, callId, message }: BlockRow): string {
  const call = callId?.replace('call_', '');
  return kind === 'text' ? `t${message}` : `${kind === 'toolCall' ? 'c' : 'r'}${call}`;
}

export function rowOf({ report }: Outcome, name: string): BlockRow {
  const row = report.blocks.find((block) => named(block) === name);
  if (row === undefined) throw new Error(`no block ${name}`);
  return row;
}

/** Names of the rows that a rule protects, each with the rule. */
export function protectedRows({ report }: Outcome): Record<string, string | null> {
  const rows = report.blocks.filter(({ reason }) => reason === 'protected');
  return Object.fromEntries(rows.map((row) => [named(row), row.rule]));
}

/** Where no message left, a block is compared with its own message, so that equal texts are told apart. */
export function takenFrom(input: Uint8Array, output: Uint8Array): string[] {
  const [before, after] = [partsOf(input), partsOf(output)];
  const aligned = before.at(-1)?.message === after.at(-1)?.message;
  const key = ({ part, message }: Placed) => JSON.stringify([part, aligned ? message : null]);
  const left = new Set(after.map(key));
  return before.flatMap((placed) => {
    const { type, tool_use_id: answers, id = answers } = placed.part;
    const call = id?.replace('call_', '');
    if (left.has(key(placed))) return [];
    return type === 'text' ? [`t${placed.message}`] : [`${type === 'tool_use' ? 'c' : 'r'}${call}`];
  });
}

interface Placed {
  readonly part: Part;
  readonly message: number;
}

function partsOf(bytes: Uint8Array): Placed[] {
  const { messages } = JSON.parse(Buffer.from(bytes).toString('utf8')) as {
    messages: { content: string | Part[] }[];
  };
  return messages.flatMap(({ content }, message) => {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return parts.map((part) => ({ part, message }));
  });
}

/** Results of 300, 500, 500, 400 and 500 tokens; r2 and r5 are equal. */
export function fiveReads(): Session {
  return new Session()
    .user('Go.')
    .read('a', tokensOf(300, 'a'))
    .read('b', tokensOf(500, 'b'))
    .read('c', tokensOf(500, 'c'))
    .read('d', tokensOf(400, 'd'))
    .read('e', tokensOf(500, 'b'))
    .says(tokensOf(600, 'said'))
    .user('And?')
    .says('Nothing.');
}
