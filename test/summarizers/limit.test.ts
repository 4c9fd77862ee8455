import { expect, it } from 'vitest';
import { limited } from '../../src/summarizers/limit.ts';

it('runs no more than its number at once, and all of them in order', async () => {
  const limit = limited(3);
  let running = 0;
  let most = 0;
  const started: number[] = [];
  const tasks = Array.from({ length: 20 }, (_, index) =>
    limit(async () => {
      started.push(index);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, index % 3));
      running -= 1;
      return index;
    }),
  );
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  expect(await Promise.all(tasks)).toEqual(numbers);
  expect(started).toEqual(numbers);
  expect(most).toBe(3);
});

it('goes on after a failure', async () => {
  const limit = limited(1);
  const results = await Promise.allSettled([
    limit(() => Promise.reject(new Error('first'))),
    limit(() => {
      throw new Error('second');
    }),
    limit(() => Promise.resolve('third')),
  ]);
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(await limit(() => Promise.resolve('fourth'))).toBe('fourth');
});

it.each([0, -1, Number.NaN])('refuses a limit of %s', (most) => {
  expect(() => limited(most)).toThrow(RangeError);
});
