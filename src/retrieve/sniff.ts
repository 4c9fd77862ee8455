/** What media bytes are, by their first bytes. */
export interface Sniffed {
  readonly mime: string;
  readonly ext: string;
}

interface Magic extends Sniffed {
  readonly at: number;
  readonly bytes: string;
}

const MAGIC: readonly Magic[] = [
  { at: 0, bytes: '\x89PNG', mime: 'image/png', ext: 'png' },
  { at: 0, bytes: '\xff\xd8\xff', mime: 'image/jpeg', ext: 'jpg' },
  { at: 0, bytes: 'GIF8', mime: 'image/gif', ext: 'gif' },
  { at: 8, bytes: 'WEBP', mime: 'image/webp', ext: 'webp' },
  { at: 0, bytes: 'BM', mime: 'image/bmp', ext: 'bmp' },
  { at: 0, bytes: '%PDF', mime: 'application/pdf', ext: 'pdf' },
  { at: 0, bytes: 'ID3', mime: 'audio/mpeg', ext: 'mp3' },
  { at: 0, bytes: '\xff\xfb', mime: 'audio/mpeg', ext: 'mp3' },
  { at: 8, bytes: 'WAVE', mime: 'audio/wav', ext: 'wav' },
  { at: 0, bytes: 'OggS', mime: 'audio/ogg', ext: 'ogg' },
  { at: 4, bytes: 'ftyp', mime: 'video/mp4', ext: 'mp4' },
  { at: 0, bytes: '\x1aE\xdf\xa3', mime: 'video/webm', ext: 'webm' },
  { at: 0, bytes: 'PK\x03\x04', mime: 'application/zip', ext: 'zip' },
];

/** The media type of bytes by their magic numbers; `application/octet-stream` when unknown. */
export function sniffMedia(bytes: Uint8Array): Sniffed {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString(
    'latin1',
  );
  const found = MAGIC.find((magic) => head.startsWith(magic.bytes, magic.at));
  return { mime: found?.mime ?? 'application/octet-stream', ext: found?.ext ?? 'bin' };
}
