import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sniffMedia } from '../../src/retrieve/sniff.ts';

const bytes = (latin1: string) => Buffer.from(latin1, 'latin1');
const ext = (latin1: string) => sniffMedia(bytes(latin1)).ext;

describe('what bytes are', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n....', 'image/png', 'png'],
    ['\xff\xd8\xff\xe0..JFIF', 'image/jpeg', 'jpg'],
    ['GIF89a....', 'image/gif', 'gif'],
    ['RIFF....WEBPVP8 ', 'image/webp', 'webp'],
    ['BM\x36\x10\0\0\0\0\0\0', 'image/bmp', 'bmp'],
    ['%PDF-1.7\n', 'application/pdf', 'pdf'],
    ['ID3\x04', 'audio/mpeg', 'mp3'],
    ['\xff\xfb\x90\x64', 'audio/mpeg', 'mp3'],
    ['\xff\xf3\x90\x64', 'audio/mpeg', 'mp3'],
    ['RIFF....WAVEfmt ', 'audio/wav', 'wav'],
    ['OggS\0', 'audio/ogg', 'ogg'],
    ['\0\0\0\x20ftypisom', 'video/mp4', 'mp4'],
    ['\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm', 'video/webm', 'webm'],
    ['PK\x03\x04\x14', 'application/zip', 'zip'],
    ['PK\x05\x06', 'application/zip', 'zip'],
  ])('%j is %s', (head, mime, name) => {
    expect(sniffMedia(bytes(head))).toEqual({ mime, ext: name });
  });

  it('does not take one container for another, nor prose for a picture', () => {
    for (const head of [
      '',
      'B',
      'BMW is a car',
      'RIFF....AVI ',
      '\xff\xf1\x50\x80',
      '\xff\xff',
      'PK',
    ])
      expect(sniffMedia(bytes(head))).toEqual({ mime: 'application/octet-stream', ext: 'bin' });
    expect(ext('\x1aE\xdf\xa3\x9fB\x82\x88matroska')).toBe('bin');
    expect(ext('\0\0\0\x18ftypheic')).toBe('heic');
    expect(ext('\0\0\0\x14ftypqt  ')).toBe('mov');
  });

  it('reads a view into a larger buffer, and any bytes', () => {
    const whole = bytes('junk%PDF-1.7');
    expect(sniffMedia(whole.subarray(4)).ext).toBe('pdf');
    fc.assert(fc.property(fc.uint8Array(), (data) => sniffMedia(data).ext.length > 0));
  });
});
