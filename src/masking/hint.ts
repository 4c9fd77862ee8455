import { plural } from '../marker/marker.ts';
import type { Warning } from '../report/report.ts';
import type { Skipped } from './skipped.ts';

/**
 * An autonomous session has one or two user messages and hundreds of calls: then all of it is recent, and nothing
 * can be masked (masking and summary, section 10.5). Said with the flag that changes it.
 */
export function singleTurnHint(skipped: Skipped, found: number): Warning[] {
  const recent = skipped.get('recent-turn') ?? 0;
  const other = ['recent-message', 'below-min-saving', 'source-capacity'].some((reason) =>
    skipped.has(reason),
  );
  if (found > 0 || recent === 0 || other) return [];
  return [
    {
      code: 'recent-turn',
      text: `all of ${plural(recent, 'candidate')} belong to the protected turns; --preserve-turns 0 protects the last messages only (--preserve-messages N), as the preset observation-masking-agentic does`,
    },
  ];
}
