/** What media bytes are, by their first bytes. */
export interface Sniffed {
  readonly mime: string;
  /** File name extension, without a dot. */
  readonly ext: string;
}

/** Bytes that are looked at. */
const HEAD = 64;
const MP3 = { mime: 'audio/mpeg', ext: 'mp3' };
const HEIC = { mime: 'image/heic', ext: 'heic' };
const ZIP = { mime: 'application/zip', ext: 'zip' };

/** Signatures as Latin-1, with the place of each part. A place of -1 is anywhere in the head. */
type Magic = readonly [type: Sniffed, ...parts: (readonly [at: number, bytes: string])[]];

// `BM` and `RIFF` alone would claim prose and other containers.
const MAGIC: readonly Magic[] = [
  [{ mime: 'image/png', ext: 'png' }, [0, '\x89PNG\r\n\x1a\n']],
  [{ mime: 'image/jpeg', ext: 'jpg' }, [0, '\xff\xd8\xff']],
  [{ mime: 'image/gif', ext: 'gif' }, [0, 'GIF8'], [5, 'a']],
  [{ mime: 'image/webp', ext: 'webp' }, [0, 'RIFF'], [8, 'WEBP']],
  [{ mime: 'image/bmp', ext: 'bmp' }, [0, 'BM'], [6, '\0\0\0\0']],
  [{ mime: 'application/pdf', ext: 'pdf' }, [0, '%PDF-']],
  [MP3, [0, 'ID3']],
  [{ mime: 'audio/wav', ext: 'wav' }, [0, 'RIFF'], [8, 'WAVE']],
  [{ mime: 'audio/ogg', ext: 'ogg' }, [0, 'OggS']],
  // Pictures and QuickTime share MP4's first box.
  [{ mime: 'image/avif', ext: 'avif' }, [4, 'ftypavi']],
  [HEIC, [4, 'ftyphei']],
  [HEIC, [4, 'ftyphev']],
  [HEIC, [4, 'ftypmif1']],
  [{ mime: 'video/quicktime', ext: 'mov' }, [4, 'ftypqt  ']],
  [{ mime: 'video/mp4', ext: 'mp4' }, [4, 'ftyp']],
  [{ mime: 'video/webm', ext: 'webm' }, [0, '\x1aE\xdf\xa3'], [-1, 'webm']],
  [ZIP, [0, 'PK\x03\x04']],
  [ZIP, [0, 'PK\x05\x06']],
];

/** The media type of bytes by their magic numbers; `application/octet-stream` and `bin` when unknown. */
export function sniffMedia(bytes: Uint8Array): Sniffed {
  const { buffer, byteOffset, length } = bytes;
  const head = Buffer.from(buffer, byteOffset, Math.min(length, HEAD)).toString('latin1');
  const found = MAGIC.find(([, ...parts]) =>
    parts.every(([at, part]) => (at < 0 ? head.includes(part) : head.startsWith(part, at))),
  );
  if (found !== undefined) return found[0];
  return isMp3Frame(head) ? MP3 : { mime: 'application/octet-stream', ext: 'bin' };
}

/** Eleven set bits, then a version that exists and layer III: the layer tells an MP3 frame from AAC. */
function isMp3Frame(head: string): boolean {
  const second = head.charCodeAt(1);
  return head.startsWith('\xff') && (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08;
}
