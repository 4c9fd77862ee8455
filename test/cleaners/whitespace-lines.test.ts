import { describe, expect, it } from 'vitest';
import { Session, text } from '../masking/build.ts';

const call = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: {} });
const result = (id: string, content: unknown) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});
const times = (count: number, line: string) => Array.from({ length: count }, () => line);
const lines = (...parts: readonly (string | readonly string[])[]) => parts.flat().join('\n');
const more = (count: string, what = 'lines like this') => `[... ${count} more ${what} ...]`;

/** What stands in the place of an output, without the marker's line. */
async function folded(output: unknown, options = ''): Promise<unknown> {
  const session = new Session()
    .user('Go.')
    .replies(call('c1'))
    .shows(result('c1', output))
    .says('Done.');
  const done = await session.compact([['whitespace-lines', options]]);
  const { messages } = JSON.parse(done.bytes.toString('utf8')) as {
    messages: { content: { content: unknown }[] }[];
  };
  const content = messages[2]?.content[0]?.content;
  return typeof content === 'string' ? content.replace(MARKER, '') : content;
}

const MARKER = /^\[Folded: [\d,]+ lines?\] \[ref: [0-9a-f]{12}\]\n\n/;
const LONG = 'the same line again, long enough that it costs more than its marker';

const TAKEN: readonly (readonly [string, string, string, string])[] = [
  ['equal lines', '', lines('a', times(40, LONG), 'b'), lines('a', LONG, more('39'), 'b')],
  [
    'blank lines',
    '',
    lines('a', times(90, ''), 'b'),
    lines('a', '', more('89', 'blank lines'), 'b'),
  ],
  [
    'lines of white space that is not the same',
    '',
    lines('a', times(30, ' '), times(30, '\t'), 'b'),
    lines('a', ' ', more('59', 'blank lines'), 'b'),
  ],
  [
    'two runs',
    '',
    lines(times(20, LONG), 'between', times(30, `${LONG}!`)),
    lines(LONG, more('19'), 'between', `${LONG}!`, more('29'), ''),
  ],
  [
    'exactly as many as it takes',
    'minLines=5',
    lines('a', times(5, LONG), 'b'),
    lines('a', LONG, more('4'), 'b'),
  ],
  [
    'line ends of another kind',
    '',
    ['a', ...times(40, LONG), 'b'].join('\r\n'),
    `a\r\n${LONG}\r\n${more('39')}\nb`,
  ],
];

const LEFT: readonly (readonly [string, string, unknown])[] = [
  ['lines that differ', '', lines(Array.from({ length: 40 }, (_, at) => `${LONG} ${at}`))],
  ['equal lines with others between them', '', lines(times(20, lines(LONG, 'between')))],
  ['fewer lines than it takes', 'minLines=5', lines('a', times(4, LONG), 'b')],
  ['lines that only end alike', '', lines(Array.from({ length: 20 }, (_, at) => `${at} ${LONG}`))],
  ['a run that saves nothing', '', lines('a', '', '', '', 'b')],
  ['repeats within a line', '', LONG.repeat(30)],
  ['two texts', '', [text(lines(times(40, LONG))), text('and more')]],
];

describe.each(TAKEN)('whitespace-lines: %s', (_name, options, before, after) => {
  it('folds the run, and leaves everything else as it was', async () => {
    expect(await folded(before, options)).toBe(after);
  });
});

describe.each(LEFT)('whitespace-lines: %s', (_name, options, before) => {
  it('is left alone', async () => {
    expect(await folded(before, options)).toEqual(before);
  });
});

describe('whitespace-lines', () => {
  it('takes no text of a person or of the model', async () => {
    const repeated = lines(times(40, LONG));
    const session = new Session().user('Go.').says(repeated).user(repeated).says('Done.');
    const done = await session.compact([['whitespace-lines', '']]);
    expect(done.bytes.equals(session.bytes)).toBe(true);
  });
});
