/** Appends items one by one: a call with a spread of very many arguments overflows the engine's stack. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
