import { read } from '../support/read.ts';
import { callLine, longText, replyLine, resultLine, userLine } from '../support/session.ts';

/** What the heuristic counter is said to do, done again: a token for every four characters. */
export function count(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Tokens of all that a transcript sends: texts, and of calls the name and the input. */
export function total(bytes: Uint8Array): number {
  return read(bytes)
    .flatMap(({ blocks }) => blocks)
    .reduce((sum, { kind, text, raw }) => sum + (kind === 'call' ? called(raw) : count(text)), 0);
}

/** JSON has a token for every two characters. */
function called({ name, input }: Readonly<Record<string, unknown>>): number {
  return count(String(name)) + Math.ceil(JSON.stringify(input).length / 2);
}

/** A call with a result, before a live end; `usage` is what the client claims for its last reply. */
export function session(result: string, usage?: number): string[] {
  const last = replyLine(6, 5, 'm3', { type: 'text', text: 'Yes.' });
  const claim = `"usage":{"input_tokens":2,"cache_read_input_tokens":${(usage ?? 0) - 2},"output_tokens":9}`;
  return [
    userLine(1, null, 'Run the tests.'),
    callLine(2, 1, 'm1', 't1', 'Bash', { command: 'npm test' }),
    resultLine(3, 2, 't1', JSON.stringify(result)),
    replyLine(4, 3, 'm2', { type: 'text', text: 'They pass.' }),
    userLine(5, 4, 'All of them?'),
    usage === undefined ? last : last.replace('"model":', `${claim},"model":`),
  ];
}

export interface Shown {
  readonly before: number;
  readonly after: number;
  readonly verb: string;
  readonly by: number;
}

/** The figures of one line of the summary under the table. */
export function shown(out: string, name: 'tokens' | 'bytes'): Shown {
  const line = new RegExp(`^${name} +([\\d,]+) -> ([\\d,]+), (\\w+) ([\\d,]+) `, 'm').exec(out);
  const [, before = '', after = '', verb = '', by = ''] = line ?? [];
  const number = (text: string) => Number.parseInt(text.replaceAll(',', ''), 10);
  return { before: number(before), after: number(after), verb, by: number(by) };
}

/** Lines of the results, each of 7 or 8 tokens. */
const SIZES = [50, 35, 3000, 500];

/** Turns of a question, a call, its result and an answer; then a live end. */
export function turns(): string[] {
  const lines = SIZES.flatMap((size, turn) => {
    const at = turn * 4 + 1;
    const id = `t${turn + 1}`;
    return [
      userLine(at, at === 1 ? null : at - 1, `Question ${turn + 1}?`),
      callLine(at + 1, at, `c${at}`, id, 'Bash', { command: `run ${turn + 1}` }),
      resultLine(at + 2, at + 1, id, JSON.stringify(longText(`r${turn + 1}`, size))),
      replyLine(at + 3, at + 2, `m${at}`, { type: 'text', text: `Answer ${turn + 1}.` }),
    ];
  });
  const end = SIZES.length * 4 + 1;
  return [...lines, userLine(end, end - 1, 'Thanks.')];
}

/** The first message that the output has otherwise: here every line of the file is one message. */
export function firstChange(output: Buffer, input: readonly string[]): number {
  return output
    .toString()
    .split('\n')
    .findIndex((line, index) => line !== input[index]);
}
