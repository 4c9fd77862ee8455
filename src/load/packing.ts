import * as zlib from 'node:zlib';
import { inputError } from '../errors.ts';

/** How a file is compressed. */
export type Packing = 'gzip' | 'zstd';

/** First bytes of compressed files; nothing of JSON begins like one. */
const MAGIC: readonly (readonly [name: string, bytes: readonly number[], read?: Packing])[] = [
  ['gzip', [0x1f, 0x8b], 'gzip'],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd], 'zstd'],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['lz4', [0x04, 0x22, 0x4d, 0x18]],
  ['7z', [0x37, 0x7a, 0xbc, 0xaf]],
];

/** Bytes that tell how a file is compressed. */
export const MAGIC_BYTES = 8;

/**
 * How a file that starts with these bytes is compressed; undefined for one that is not.
 * @throws CtxError with exit 3 for a compression that is not read, or not by this Node.
 */
export function packingOf(start: Uint8Array, path: string): Packing | undefined {
  const found = MAGIC.find(([, bytes]) => bytes.every((byte, index) => start[index] === byte));
  if (found === undefined) return undefined;
  const [name, , packing] = found;
  if (packing === undefined)
    throw inputError(`${path} is compressed with ${name}, which ctx does not read`, {
      hint: 'decompress it first; .gz and .zst are read as they are',
    });
  if (packing === 'zstd' && ZSTD.zstdDecompressSync === undefined)
    throw inputError(
      `${path} is compressed with zstd, which needs Node 22.15 or later (this is ${process.version})`,
      { hint: 'decompress it first with `zstd -d`, or run ctx with a newer Node' },
    );
  return packing;
}

type Codec = (bytes: Uint8Array, options?: object) => Buffer;

/** Node has zstd from 22.15 on. */
const ZSTD = zlib as unknown as {
  readonly zstdCompressSync?: Codec;
  readonly zstdDecompressSync?: Codec;
  readonly constants: { readonly ZSTD_c_checksumFlag?: number };
};

/** One member (gzip) or frame (zstd): a file is any number of them one after the other. */
export function pack(bytes: Uint8Array, packing: Packing): Buffer {
  if (packing === 'gzip') return zlib.gzipSync(bytes);
  const { zstdCompressSync, constants } = ZSTD;
  const params = { [constants.ZSTD_c_checksumFlag ?? 0]: 1 };
  return (zstdCompressSync as Codec)(bytes, { params });
}

/** Decompresses gzip data, or one frame of zstd. @throws when it is damaged or there are more than `most` bytes. */
export function unpack(bytes: Uint8Array, packing: Packing, most: number): Buffer {
  const options = { maxOutputLength: Math.max(1, most) };
  return packing === 'gzip'
    ? zlib.gunzipSync(bytes, options)
    : (ZSTD.zstdDecompressSync as Codec)(bytes, options);
}

/** A decompression that failed, as one clear line. */
export function unpackFailure(path: string, packing: Packing, cause: unknown): Error {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const torn = code === 'Z_BUF_ERROR' || code === 'TORN';
  const what = torn ? 'is cut off' : 'is damaged';
  return inputError(
    `${path} ${what}: its ${packing} data ${torn ? 'end too early' : 'can not be read'} (${message})`,
    {
      hint: 'get a complete copy; nothing of it is guessed',
      cause,
    },
  );
}
