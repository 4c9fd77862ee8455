// What a model would see of a transcript, and what it can fetch through the refs that it sees.
import { parse, retrieve } from '../../dist/index.js';

/** Texts, arguments of calls and results of all live messages, in order. */
export function visibleText(bytes) {
  const lines = Buffer.from(bytes).toString('utf8').trimEnd().split('\n');
  const live = parse(bytes).conversations.flatMap(({ messages }) =>
    messages.filter((message) => message.live).flatMap(({ records }) => records),
  );
  return live.map((record) => texts(JSON.parse(lines[record])).join('\n')).join('\n');
}

/** The exact original behind each ref of a text, decoded and as it lay in the file. */
export function behindRefs(text, stash) {
  const found = text.matchAll(/ref"?: ?"?([0-9a-f]{12,})/gi);
  const refs = new Set([...found].map(([, ref]) => ref));
  return [...refs].map((ref) => {
    const original = retrieve(stash, ref);
    return `${original.text ?? ''}\n${original.raw.toString('utf8')}`;
  });
}

function texts({ message, attachment }) {
  const content = message?.content ?? attachment?.content ?? [];
  if (typeof content === 'string') return [content];
  return content.flatMap((block) => {
    if (block.type === 'text') return [block.text];
    if (block.type === 'tool_use') return [JSON.stringify(block.input)];
    if (typeof block.content === 'string') return [block.content];
    return (block.content ?? []).map((item) => item.text ?? '');
  });
}
