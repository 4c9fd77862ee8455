/** Whether a pattern matches a whole text: `*` is any characters, `?` is one, everything else is itself. */
export function globMatches(pattern: string, text: string): boolean {
  const wanted = Array.from(pattern);
  const given = Array.from(text);
  let at = 0;
  let next = 0;
  // The last star, and how far it reached: only that one is ever worth another try.
  let star = -1;
  let reached = 0;
  while (at < given.length) {
    if (wanted[next] === '*') {
      star = next;
      reached = at;
      next += 1;
    } else if (wanted[next] === '?' || wanted[next] === given[at]) {
      next += 1;
      at += 1;
    } else if (star >= 0) {
      reached += 1;
      at = reached;
      next = star + 1;
    } else return false;
  }
  return wanted.slice(next).every((character) => character === '*');
}
