import type { Placed } from '../formats/format.ts';
import { markerHash } from '../marker/hash.ts';
import type { OffloadMethod, OriginalKind, Placeholder } from '../model/conversation.ts';
import type { PlacedMarker, RunLine } from './lines.ts';

/** A transcript without a stash. */
export const NO_STASH: Placed = { present: false, find: () => undefined };

/** What the runs of a stash left in the transcript, by the exact text of their markers. */
export function placedBy(runs: readonly RunLine[]): Placed {
  const known = new Map<string, PlacedMarker>();
  for (const run of runs) for (const marker of run.placed) known.set(marker.text, marker);
  return {
    present: true,
    find(text): Placeholder | undefined {
      const marker = known.get(markerHash(text));
      if (marker === undefined) return undefined;
      return {
        ref: marker.ref,
        method: marker.method as OffloadMethod,
        tokens: marker.tokens,
        kind: marker.kind as OriginalKind,
        ...(marker.messages === undefined ? {} : { messages: marker.messages }),
        ...(marker.isError === undefined ? {} : { isError: marker.isError }),
      };
    },
  };
}
