import { indexLine } from '../marker/index-line.ts';
import type { Message } from '../model/conversation.ts';
import { blocksOf } from '../plan/eligible.ts';
import type { View } from '../plan/view.ts';
import type { Tools } from '../strategies/strategy.ts';

/** One line a call of removed messages: what was asked, how large the answer was, how it ended; '' without calls. */
export function indexBody(view: View, messages: readonly Message[], tools: Tools): string {
  const blocks = messages.flatMap((message) => blocksOf(view, message));
  const results = new Map(
    blocks.flatMap((block) =>
      block.kind === 'toolResult' ? [[block.callId ?? '', block] as const] : [],
    ),
  );
  return blocks
    .flatMap((block) => {
      if (block.kind !== 'toolCall') return [];
      const result = results.get(block.callId ?? '');
      const { tool, args } = tools.call(block);
      return [
        indexLine(tool, args, result?.pointer === undefined ? 0 : tools.jsonSize(result), {
          failed: result?.isError === true,
        }),
      ];
    })
    .join('\n');
}
