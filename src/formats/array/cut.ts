import { opensArray, type RecordTable } from '../../model/records.ts';
import type { Splice } from '../../model/splice.ts';

/**
 * Removes elements of arrays with their separators: each with the one before it, or with the one behind it where
 * nothing before it in its array stays. A file may hold several arrays; something of each must stay.
 */
export function cutElements(removed: Iterable<number>, records: RecordTable): Splice[] {
  const leading = new Set<number>();
  return [...new Set(removed)]
    .toSorted((left, right) => left - right)
    .map((record) => {
      if (opensArray(records, record) || leading.has(record - 1)) {
        leading.add(record);
        return { start: records.start(record), end: records.next(record), data: '' };
      }
      return { start: records.end(record - 1), end: records.end(record), data: '' };
    });
}
