import type { BlockDraft, Drafts } from './builder.ts';
import type { TypedIdentity } from './format.ts';
import { stringAt, valueAt } from './value.ts';

/** One content block of the Messages API at a pointer of its record; Claude Code stores the same blocks. */
export function anthropicBlock(
  block: unknown,
  record: number,
  pointer: string,
  drafts: Drafts,
  typed?: ReadonlyMap<string, TypedIdentity>,
): BlockDraft {
  const type = stringAt(block, 'type') ?? '';
  switch (type) {
    case 'text': {
      const place = { record, pointer: `${pointer}/text` };
      return drafts.text(stringAt(block, 'text') ?? '', place, typed?.get(place.pointer));
    }
    case 'thinking':
    case 'redacted_thinking':
      return drafts.sealed(
        'thinking',
        record,
        drafts.meter.text(stringAt(block, 'thinking') ?? ''),
        {
          signed:
            stringAt(block, 'signature') !== undefined || stringAt(block, 'data') !== undefined,
          element: pointer,
        },
      );
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use': {
      const tool = stringAt(block, 'name') ?? '';
      const tokens = drafts.meter.text(tool) + drafts.meter.json(valueAt(block, 'input'));
      // The vendor runs server tools itself and answers in the same reply: they pair with nothing of ours.
      const callId = type === 'tool_use' ? { callId: stringAt(block, 'id') ?? '' } : {};
      return drafts.sealed('toolCall', record, tokens, {
        tool,
        ...callId,
        pointer: `${pointer}/input`,
      });
    }
    case 'tool_result': {
      const error = valueAt(block, 'is_error');
      return drafts.result(valueAt(block, 'content'), {
        record,
        pointer: `${pointer}/content`,
        callId: stringAt(block, 'tool_use_id') ?? '',
        ...(typeof error === 'boolean' ? { isError: error } : {}),
        ...(typed === undefined ? {} : { typed }),
      });
    }
    case 'image':
    case 'document':
      return drafts.media(block, { record, pointer });
    default:
      return drafts.sealed('opaque', record, drafts.meter.json(block));
  }
}
