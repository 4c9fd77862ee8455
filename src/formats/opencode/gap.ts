import { jsonLiteral, stringLiteral, styleOf } from '../../json/literal.ts';
import { findPointer } from '../../json/scan.ts';
import { markerHash } from '../../marker/hash.ts';
import type { GapEdit, Splice } from '../../model/splice.ts';
import { arrayGapEditor } from '../array/gap.ts';
import type { GapEditor, GapIo } from '../format.ts';
import type { StoredMessage } from './messages.ts';

/**
 * Removes messages; the marker is a user message. The client sorts messages by time and id and ties a reply to its
 * user message by id, so the marker takes both over from the last user message that goes (what stays behind it then
 * hangs below the marker), else from the first message.
 */
export function opencodeGaps(messages: readonly StoredMessage[]): GapEditor {
  return (gaps, io, cuts) => {
    const added = new Map<string, number>();
    const edit = arrayGapEditor({
      message: (_literal, _identity, marker, style, gap) =>
        jsonLiteral(markerMessage(gap, marker, messages, added), style),
    });
    const { splices, places } = edit(gaps, io, cuts);
    return {
      splices: [...splices, ...gaps.flatMap((gap) => links(gap, gaps, messages, io))],
      places,
    };
  };
}

interface Ids {
  readonly id: string;
  readonly part: string;
  readonly created: number;
}

function markerMessage(
  gap: GapEdit,
  marker: string,
  messages: readonly StoredMessage[],
  added: Map<string, number>,
): unknown {
  const next = gap.before === undefined ? undefined : messages[gap.before];
  const { id, part, created } =
    next === undefined ? takenIds(heir(gap, messages)) : freshIds(gap, next, messages, added);
  const at = gap.before ?? gap.records[0] ?? 0;
  const [agent, providerID, modelID] = modelNear(at, messages);
  const sessionID = messages[at]?.info.sessionID ?? '';
  return {
    info: { role: 'user', time: { created }, agent, model: { providerID, modelID }, id, sessionID },
    parts: [{ type: 'text', text: marker, id: part, sessionID, messageID: id }],
  };
}

/** The removed message whose place in the session the marker takes. */
function heir({ records }: GapEdit, messages: readonly StoredMessage[]): StoredMessage | undefined {
  const last = records.findLast((record) => messages[record]?.info.role === 'user');
  return messages[last ?? records[0] ?? -1];
}

function takenIds(message: StoredMessage | undefined): Ids {
  const { id = '', created = 0 } = message?.info ?? {};
  return { id, created, part: message?.parts[0]?.id || id.replace(/^msg_/, 'prt_') };
}

/** Ids that sort directly before a message's: the same time, and a tail that random ones hardly reach. */
function freshIds(
  { identity }: GapEdit,
  { info }: StoredMessage,
  messages: readonly StoredMessage[],
  added: Map<string, number>,
): Ids {
  const stem = /^msg_[0-9a-f]{12}/.exec(info.id)?.[0] ?? info.id;
  const taken = messages.filter(({ info: { id } }) => id.startsWith(`${stem}000`)).length;
  const count = added.get(stem) ?? taken;
  added.set(stem, count + 1);
  const tail = `${String(count).padStart(4, '0')}${markerHash(identity.ref + info.id).slice(0, 10)}`;
  const id = `${stem}${tail}`;
  return { id, created: info.created, part: id.replace(/^msg_/, 'prt_') };
}

/** Agent and model of the user message at or before a place, else of any message: the client asks for them. */
function modelNear(at: number, messages: readonly StoredMessage[]): [string, string, string] {
  const users = messages.filter(({ info }) => info.role === 'user' && info.modelID !== '');
  const before = messages.slice(0, at + 1).findLast((message) => users.includes(message));
  const { info } = before ?? users[0] ?? messages.find((one) => one.info.modelID !== '') ?? {};
  return [info?.agent || 'build', info?.providerID || 'unknown', info?.modelID || 'unknown'];
}

/** Kept replies to a user message that goes, other than the one whose id the marker has, hang below the marker. */
function links(
  gap: GapEdit,
  gaps: readonly GapEdit[],
  messages: readonly StoredMessage[],
  io: GapIo,
): Splice[] {
  const gone = new Set(gap.records.map((record) => messages[record]?.info.id ?? ''));
  const target = gap.before === undefined ? heir(gap, messages)?.info.id : undefined;
  if (target === undefined) return [];
  const removed = new Set(gaps.flatMap(({ records }) => records));
  return messages.flatMap(({ info }, record) => {
    if (removed.has(record) || info.parentID === target || !gone.has(info.parentID)) return [];
    const start = io.records.start(record);
    const bytes = io.read(start, io.records.end(record));
    const span = findPointer(bytes, 0, '/info/parentID');
    const data = stringLiteral(target, styleOf(bytes));
    return span === undefined ? [] : [{ start: start + span.start, end: start + span.end, data }];
  });
}
