import { withoutSome } from '../json/cut.ts';
import { elements, findPointer, type Span } from '../json/scan.ts';
import type { Splice } from '../model/splice.ts';
import type { CutDecision } from '../plan/decision.ts';

/** Indexes of the elements that go, by the pointer of their list. */
export type CutElements = ReadonlyMap<string, ReadonlySet<number>>;

export function cutElements(cuts: readonly CutDecision[]): CutElements {
  const lists = new Map<string, Set<number>>();
  for (const { element } of cuts) {
    const [, list = '', index = ''] = /^(.*)\/(\d+)$/.exec(element?.pointer ?? '') ?? [];
    lists.set(list, (lists.get(list) ?? new Set()).add(Number(index)));
  }
  return lists;
}

/** Where a pointer leads once the elements are gone. */
export function afterCuts(pointer: string, gone: CutElements): string {
  for (const [list, indexes] of gone) {
    const [, index, rest = ''] = pointer.startsWith(`${list}/`)
      ? (/^(\d+)(.*)$/s.exec(pointer.slice(list.length + 1)) ?? [])
      : [];
    if (index === undefined) continue;
    const before = [...indexes].filter((other) => other < Number(index)).length;
    return `${list}/${Number(index) - before}${rest}`;
  }
  return pointer;
}

/** Elements that go, each with a separator beside it; at least one of their list stays. */
export function elementCuts(bytes: Buffer, gone: CutElements): Splice[] {
  return [...gone].flatMap(([pointer, indexes]) => {
    const list = findPointer(bytes, 0, pointer) as Span;
    return withoutSome(elements(bytes, list.start), indexes);
  });
}
