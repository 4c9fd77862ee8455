interface Frame {
  readonly start: number;
  readonly end: number;
}

const FRAME = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;

/**
 * The frames of zstd data that hold content (RFC 8878). Node's own decoder stops after the first and takes a frame
 * that is cut off for a whole one.
 * @throws an error with the code TORN when the last frame is not complete.
 */
export function zstdFrames(
  size: number,
  read: (start: number, end: number) => Uint8Array,
): Frame[] {
  const frames: Frame[] = [];
  const number = (at: number, length: number): number => {
    if (at + length > size) throw torn(at);
    const bytes = read(at, at + length);
    return Buffer.from(bytes.buffer, bytes.byteOffset, length).readUIntLE(0, length);
  };
  for (let start = 0; start < size; ) {
    const magic = number(start, 4);
    const skipped = (magic & 0xfffffff0) >>> 0 === SKIPPABLE;
    if (!skipped && magic !== FRAME) throw new Error(`no frame begins at byte ${start}`);
    const end = skipped ? start + 8 + number(start + 4, 4) : frameEnd(start, number);
    if (end > size) throw torn(start);
    if (!skipped) frames.push({ start, end });
    start = end;
  }
  return frames;
}

function frameEnd(start: number, number: (at: number, length: number) => number): number {
  const descriptor = number(start + 4, 1);
  const single = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const sizeLength = sizeFlag === 0 ? Number(single) : 1 << sizeFlag;
  const dictionary = [0, 1, 2, 4][descriptor & 3] as number;
  let at = start + 5 + Number(!single) + dictionary + sizeLength;
  for (let last = false; !last; ) {
    const header = number(at, 3);
    last = (header & 1) === 1;
    // A run-length block holds one byte whatever its size.
    at += 3 + (((header >> 1) & 3) === 1 ? 1 : header >> 3);
  }
  return at + ((descriptor & 4) === 0 ? 0 : 4);
}

function torn(at: number): Error {
  return Object.assign(new Error(`the frame at byte ${at} is not complete`), { code: 'TORN' });
}
