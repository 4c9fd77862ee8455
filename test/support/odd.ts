/** Transcripts with something wrong or unusual in their bytes, all of which are to be compacted all the same. */

import { chat, claude, claudeLines } from './session.ts';

export interface Odd {
  readonly name: string;
  readonly file: string;
  readonly bytes: Buffer;
  /** Lines that are not JSON. */
  readonly broken: number;
}

const NUL = String.fromCharCode(0);

function lines(change: (lines: string[]) => string[], eol = '\n'): Buffer {
  return claude(change(claudeLines()), eol);
}

function jsonl(name: string, bytes: Buffer, broken = 0): Odd {
  return { name, file: 'session.jsonl', bytes, broken };
}

/** Ends with LF, CRLF and LF LF in turn. */
function mixed(): Buffer {
  const ends = ['\n', '\r\n', '\n\n'];
  return Buffer.from(
    claudeLines()
      .map((line, index) => `${line}${ends[index % ends.length]}`)
      .join(''),
  );
}

export function oddities(): Odd[] {
  const plain = claude();
  const torn = Buffer.concat([plain, Buffer.from('{"parentUuid":"5a3b1c00-0000-40')]);
  const tornUnicode = Buffer.concat([torn, Buffer.from([0xf0, 0x9f, 0x98])]);
  const invalid = claudeLines().map((line) => Buffer.from(`${line}\n`));
  invalid.splice(3, 0, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x0a]));
  return [
    jsonl('a plain session', plain),
    jsonl('a torn last line', torn, 1),
    jsonl('a last line torn inside of a character', tornUnicode, 1),
    jsonl(
      'a broken line in the middle',
      lines((all) => all.toSpliced(9, 0, '{"type":"user",')),
      1,
    ),
    jsonl(
      'two values in one line',
      lines((all) => all.toSpliced(9, 0, '{"a":1}{"b":2}')),
      1,
    ),
    jsonl('bytes that are no UTF-8', Buffer.concat(invalid), 1),
    jsonl(
      'a line of NULs',
      lines((all) => all.toSpliced(7, 0, NUL.repeat(512))),
      1,
    ),
    jsonl('NULs at the end', Buffer.concat([plain, Buffer.alloc(4096)]), 1),
    jsonl('a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain])),
    jsonl('CRLF', claude(claudeLines(), '\r\n')),
    jsonl('mixed line ends and empty lines', mixed()),
    jsonl('no final newline', plain.subarray(0, -1)),
    jsonl(
      'white space around records',
      lines((all) => all.map((line) => `  ${line}\t`)),
    ),
    jsonl(
      'values that are no objects',
      lines((all) => ['null', ...all, '[]', '"text"', '42']),
    ),
    { name: 'a printed document', file: 'chat.json', bytes: chat(2), broken: 0 },
    { name: 'a document with tabs', file: 'chat.json', bytes: tabs(), broken: 0 },
    { name: 'a document on one line', file: 'chat.json', bytes: chat(0), broken: 0 },
    {
      name: 'a document with a byte order mark and no final newline',
      file: 'chat.json',
      bytes: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), chat(2).subarray(0, -1)]),
      broken: 0,
    },
  ];
}

function tabs(): Buffer {
  return Buffer.from(chat(2).toString('utf8').replaceAll('\n  ', '\r\n\t'));
}
