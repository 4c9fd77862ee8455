/** Runs a task as soon as there is room for it and gives what it gives. */
export type Limit = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * A limit of `most` tasks at once; the others wait in order. A task that fails does not hold up the others.
 * Throws a RangeError when `most` is less than 1.
 */
export function limited(most: number): Limit {
  if (!(most >= 1)) throw new RangeError(`a limit of ${most} would run nothing`);
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    // Whoever ends hands its place on, so nobody can slip in between.
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
