import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Packing } from './packing.ts';

export interface SpillPart {
  readonly start: number;
  readonly end: number;
}

/** Node decompresses a stream only while its event loop runs: here that of a thread, which this one waits for. */
const CODE = `
const { workerData: { path, target, packing, parts, flag, port } } = require('node:worker_threads');
const { createReadStream, createWriteStream } = require('node:fs');
const { pipeline } = require('node:stream/promises');
const zlib = require('node:zlib');
const make = packing === 'gzip' ? zlib.createGunzip : zlib.createZstdDecompress;
(async () => {
  try {
    for (const { start, end } of parts)
      await pipeline(createReadStream(path, { start, end: end - 1 }), make(), createWriteStream(target, { flags: 'a', mode: 0o600 }));
    port.postMessage({});
  } catch ({ code, message }) {
    port.postMessage({ failed: { code, message } });
  }
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
})();
`;

/** Decompresses parts of a file one after the other into another file, in little memory. Returns when it is done. */
export function spill(
  path: string,
  target: string,
  packing: Packing,
  parts: readonly SpillPart[],
): void {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const { port1, port2 } = new MessageChannel();
  const workerData = { path, target, packing, parts, flag, port: port2 };
  const worker = new Worker(CODE, { eval: true, workerData, transferList: [port2] });
  Atomics.wait(flag, 0, 0);
  const told = receiveMessageOnPort(port1);
  port1.close();
  void worker.terminate();
  const failed = (told?.message as { failed?: Error } | undefined)?.failed;
  if (failed !== undefined) throw Object.assign(new Error(failed.message), failed);
}
