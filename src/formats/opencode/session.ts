import type { Conversation, Finding } from '../../model/conversation.ts';
import { buildConversation } from '../build.ts';
import type { Drafts } from '../builder.ts';
import { stringAt, valueAt } from '../value.ts';
import { livePart, type Revert } from './live.ts';
import { messageDrafts, type StoredMessage } from './messages.ts';

/** The conversation of one session; `session` is what is stored about it. */
export function sessionConversation(
  id: string,
  session: unknown,
  messages: readonly StoredMessage[],
  drafts: Drafts,
): Conversation {
  const revert = revertOf(session);
  const { live, fixed } = livePart(messages, revert);
  const all = messages.flatMap((message, at) => {
    const reason = fixed.get(at);
    return messageDrafts(reverted(message, revert)).map((draft) => ({
      ...draft,
      live: live.has(at),
      ...(reason === undefined ? {} : { fixed: reason }),
    }));
  });
  const sent = messages.filter((_, at) => live.has(at)).map(({ info }) => info);
  const replies = sent.filter(({ role }) => role === 'assistant');
  const model = replies.findLast(({ modelID }) => modelID !== '')?.modelID;
  const usage = replies.findLast((info) => info.usage !== undefined)?.usage;
  const system = sent.findLast(({ role }) => role === 'user')?.system ?? '';
  return buildConversation(all, {
    id,
    overhead: system === '' ? 0 : drafts.meter.text(system),
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
  });
}

/** Replies whose user message is not there. */
export function danglingParents(messages: readonly StoredMessage[]): Finding[] {
  const ids = new Set(messages.map(({ info }) => info.id));
  return messages.flatMap(({ info, records }) => {
    if (info.parentID === '' || ids.has(info.parentID)) return [];
    const text = `the message ${info.id} answers ${info.parentID}, which is not there`;
    return [{ code: 'dangling-parent', text, key: info.id, record: records[0] ?? 0 }];
  });
}

function revertOf(session: unknown): Revert | undefined {
  const messageID = stringAt(session, 'revert', 'messageID');
  const partID = stringAt(session, 'revert', 'partID');
  if (messageID === undefined || valueAt(session, 'revert') === undefined) return undefined;
  return { messageID, ...(partID === undefined ? {} : { partID }) };
}

/** A revert to a part takes it and what follows it out of its message. */
function reverted(message: StoredMessage, revert: Revert | undefined): StoredMessage {
  if (revert?.partID === undefined || message.info.id !== revert.messageID) return message;
  const at = message.parts.findIndex(({ id }) => id === revert.partID);
  return at < 0 ? message : { ...message, parts: message.parts.slice(0, at) };
}
