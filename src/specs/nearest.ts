import { plainName } from './names.ts';

/** `did you mean NAME? ` when a known name is within an edit distance of 2, else nothing: the start of a hint. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? '' : `did you mean ${near}? `;
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const asked = plainName(name.slice(0, 60));
  const [best] = known
    .map((candidate) => ({ candidate, distance: distance(asked, plainName(candidate)) }))
    .filter((found) => found.distance <= 2)
    .toSorted((left, right) => left.distance - right.distance);
  return best?.candidate;
}

function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const same = left[i - 1] === right[j - 1] ? 0 : 1;
      next.push(
        Math.min(
          (row[j] as number) + 1,
          (next[j - 1] as number) + 1,
          (row[j - 1] as number) + same,
        ),
      );
    }
    row = next;
  }
  return row[right.length] as number;
}
