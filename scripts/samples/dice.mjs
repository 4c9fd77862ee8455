import { createHash } from 'node:crypto';

/**
 * A small seeded generator (mulberry32): the same numbers on every machine.
 * @param {number} seed
 * @returns {() => number} numbers from 0 up to, but not, 1
 */
export function dice(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const digest = (label) => createHash('sha512').update(label).digest();

/** An invented id: letters and digits that depend on the label alone. */
export const token = (label, length) =>
  digest(label).toString('base64').replaceAll(/[+/=]/g, '').slice(0, length);

/** An invented hexadecimal id. */
export const hex = (label, length) => digest(label).toString('hex').slice(0, length);

/** An invented uuid of the given version. */
export const uuid = (label, version = 4) =>
  hex(label, 32).replace(
    /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/,
    (_, first, second, third, fourth, last) =>
      `${first}-${second}-${version}${third}-a${fourth}-${last}`,
  );

/** Stands for a signature or for encrypted content: base64 that means nothing. */
export const sealed = (label, blocks = 3) =>
  Buffer.concat(Array.from({ length: blocks }, (_, block) => digest(`${label}/${block}`))).toString(
    'base64',
  );
