/** Small transcripts of two formats, built line by line so that a test knows every byte of them. */

const SESSION = '3f0e6a52-1111-4222-8333-944455566677';

/** Text of many lines, every line different, `label` in each. */
export function longText(label: string, lines = 400): string {
  return Array.from(
    { length: lines },
    (_, index) => `${label} line ${index + 1}: checked value ${(index * 7919) % 10_007}`,
  ).join('\n');
}

export const BASH_TEXT: string = longText('bash');
export const READ_TEXT: string = longText('read');
export const GREP_TEXT: string = longText('grep');

/** The start of a picture of 1000 x 1000 pixels: enough to be measured. */
export const PNG: Buffer = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452000003e8000003e80802000000', 'hex'),
  Buffer.alloc(300, 7),
]);

function uuid(line: number): string {
  return `5a3b1c00-0000-4000-8000-${String(line).padStart(12, '0')}`;
}

interface Extra {
  /** Raw JSON members, appended to the record as they are. */
  readonly raw?: string;
  readonly id?: string;
}

/** A record of a Claude Code session; `parent` is the line that it follows. */
function record(line: number, parent: number | null, body: string, extra: Extra = {}): string {
  const link = parent === null ? 'null' : `"${uuid(parent)}"`;
  const raw = extra.raw === undefined ? '' : `,${extra.raw}`;
  const second = String(line % 60).padStart(2, '0');
  return `{"parentUuid":${link},"isSidechain":false,${body},"uuid":"${uuid(line)}","timestamp":"2026-01-01T00:00:${second}.000Z","sessionId":"${SESSION}","version":"2.1.332"${raw}}`;
}

export function userLine(line: number, parent: number | null, text: string, extra?: Extra): string {
  const body = `"type":"user","message":{"role":"user","content":${JSON.stringify(text)}}`;
  return record(line, parent, body, extra);
}

export function replyLine(
  line: number,
  parent: number,
  id: string,
  block: unknown,
  extra?: Extra,
): string {
  const message = `{"id":"${id}","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[${JSON.stringify(block)}]}`;
  return record(line, parent, `"type":"assistant","message":${message}`, extra);
}

export function callLine(
  line: number,
  parent: number,
  reply: string,
  id: string,
  name: string,
  input: unknown = {},
): string {
  return replyLine(line, parent, reply, { type: 'tool_use', id, name, input });
}

/** `literal` is the JSON of the content as it stands in the file. */
export function resultLine(
  line: number,
  parent: number,
  id: string,
  literal: string,
  extra?: Extra,
): string {
  const block = `{"type":"tool_result","tool_use_id":"${id}","content":${literal}}`;
  const message = `{"role":"user","content":[${block}]}`;
  return record(line, parent, `"type":"user","message":${message}`, extra);
}

/** Numbers, escapes and duplicate keys that a parse and a print would change. */
export const DELICATE =
  '"cost":15.0,"big":9007199254740993,"exp":1E+2,"path":"a\\/b\\u0041\\ud800","twice":1,"twice":2';

/** Lines of a session: two parallel calls, a third call, attachments, bookkeeping; three large results. */
export function claudeLines(): string[] {
  const literal = JSON.stringify;
  return [
    `{"type":"mode","mode":"default","sessionId":"${SESSION}"}`,
    userLine(1, null, 'Find the rounding bug and mend it.'),
    record(
      2,
      1,
      '"attachment":{"type":"date","date":"2026-01-01"},"rendered":[{"content":"<system-reminder>\\nToday is 2026-01-01.\\n</system-reminder>"}],"renderedRole":"system","type":"attachment"',
    ),
    replyLine(3, 2, 'msg_1', { type: 'text', text: 'I run the tests and read the module.' }),
    callLine(4, 3, 'msg_1', 't1', 'Bash', { command: 'npm test' }),
    callLine(5, 4, 'msg_1', 't2', 'Read', { file_path: '/shop/pricing.js' }),
    resultLine(6, 4, 't1', literal(BASH_TEXT), { raw: DELICATE }),
    resultLine(7, 5, 't2', literal([{ type: 'text', text: READ_TEXT }])),
    replyLine(
      8,
      7,
      'msg_2',
      { type: 'text', text: 'One test fails. I search.' },
      { raw: DELICATE },
    ),
    callLine(9, 8, 'msg_2', 't3', 'Grep', { pattern: 'round' }),
    resultLine(10, 9, 't3', literal(GREP_TEXT)),
    replyLine(11, 10, 'msg_3', { type: 'text', text: 'Found: half cents are cut, not rounded.' }),
    userLine(12, 11, 'Good. Mend it.'),
    replyLine(13, 12, 'msg_4', { type: 'text', text: 'Done.' }),
    `{"type":"last-prompt","lastPrompt":"Good. Mend it.","sessionId":"${SESSION}"}`,
  ];
}

/** The session as bytes. */
export function claude(lines: readonly string[] = claudeLines(), eol = '\n'): Buffer {
  return Buffer.from(lines.map((line) => `${line}${eol}`).join(''));
}

/** A session in which nothing is large. */
export function smallClaude(): Buffer {
  return claude([
    userLine(1, null, 'Say hello.'),
    replyLine(2, 1, 'msg_1', { type: 'text', text: 'Hello.' }),
  ]);
}

function picture(line: number, parent: number): string {
  const data = PNG.toString('base64');
  const source = `{"type":"base64","media_type":"image/png","data":"${data}"}`;
  const content = `[{"type":"text","text":"And this?"},{"type":"image","source":${source}}]`;
  return record(line, parent, `"type":"user","message":{"role":"user","content":${content}}`);
}

/** Two messages with a picture. */
export function pictureClaude(): Buffer {
  return claude([
    userLine(1, null, 'Look.'),
    replyLine(2, 1, 'msg_1', { type: 'text', text: 'At what?' }),
    picture(3, 2),
    replyLine(4, 3, 'msg_2', { type: 'text', text: 'I see a square.' }),
    picture(5, 4),
    replyLine(6, 5, 'msg_3', { type: 'text', text: 'Another square.' }),
    userLine(7, 6, 'Thanks.'),
    replyLine(8, 7, 'msg_4', { type: 'text', text: 'Welcome.' }),
  ]);
}

/** A Chat Completions body, pretty-printed unless `indent` is 0, with a result that is a list over several lines. */
export function chat(indent = 2): Buffer {
  const body = {
    model: 'gpt-4o',
    messages: [
      { role: 'system', content: 'You are careful.' },
      { role: 'user', content: 'Find the bug.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'bash', arguments: '{}' } },
          { id: 'c2', type: 'function', function: { name: 'read', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: BASH_TEXT },
      { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: READ_TEXT }] },
      { role: 'assistant', content: 'Found it.' },
      { role: 'user', content: 'Mend it.' },
      { role: 'assistant', content: 'Done.' },
    ],
  };
  return Buffer.from(`${JSON.stringify(body, null, indent)}\n`);
}
