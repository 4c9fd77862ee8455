import { callLine, replyLine, resultLine, userLine } from '../support/session.ts';

/** Bytes of a picture, of a length of its own: the head says what they are, the rest is told apart by `mark`. */
export function picture(head: string, mark: number, length = 6000): Buffer {
  const bytes = Buffer.alloc(length, mark);
  bytes.write(head, 0, 'latin1');
  return bytes;
}

export const PNG = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x03\x20\0\0\x02\x58';
export const png = (mark: number): Buffer => picture(PNG, mark);

/** Reads of pictures as Claude Code writes them: what is sent, and the same base64 for its screen. */
export function screenshots(pictures: readonly Buffer[]): string[] {
  const reads = pictures.flatMap((bytes, index) => {
    const at = index * 3 + 2;
    const id = `t${index + 1}`;
    const data = bytes.toString('base64');
    const source = { type: 'base64', media_type: 'image/png', data };
    const screen = { type: 'image', file: { base64: data, type: 'image/png', originalSize: 6000 } };
    return [
      callLine(at, at - 1, `c${at}`, id, 'Read', { file_path: `${index}.png` }),
      resultLine(at + 1, at, id, JSON.stringify([{ type: 'image', source }]), {
        raw: `"toolUseResult":${JSON.stringify(screen)}`,
      }),
      replyLine(at + 2, at + 1, `m${at}`, { type: 'text', text: `I see picture ${index}.` }),
    ];
  });
  const end = pictures.length * 3 + 2;
  return [userLine(1, null, 'Look.'), ...reads, userLine(end, end - 1, 'Thanks.')];
}

/** How often a picture is in a file. */
export const times = (bytes: Uint8Array, base64: string): number =>
  Buffer.from(bytes).toString('latin1').split(base64).length - 1;
