import type { Transcript } from '../indexing/transcript.ts';
import type { Conversation, Finding, Message } from '../model/conversation.ts';

/**
 * What is wrong with a transcript: pairs by position and id, empty texts, roles, and what the index pass saw
 * (broken records, dangling parents, lone surrogates, unresolved placeholders). Only what resuming would send.
 */
export function checkTranscript(transcript: Transcript): Finding[] {
  const { conversations } = transcript;
  const own = conversations.flatMap((conversation) => {
    const findings = checkConversation(conversation, transcript);
    // Ids are a conversation's own: the same one in another is another finding.
    return conversations.length === 1
      ? findings
      : findings.map((found) => ({ ...found, key: `${conversation.id}: ${found.key}` }));
  });
  return [...transcript.findings, ...own];
}

/** Findings of an output that its input did not have: caused by us. */
export function causedFindings(before: readonly Finding[], after: readonly Finding[]): Finding[] {
  const known = new Set(before.map((finding) => `${finding.code} ${finding.key}`));
  return after.filter((finding) => !known.has(`${finding.code} ${finding.key}`));
}

function checkConversation(conversation: Conversation, { format }: Transcript): Finding[] {
  const live = conversation.messages.filter((message) => message.live && !message.injected);
  return [
    ...checkPairs(conversation, live),
    ...checkTexts(conversation, live),
    ...(format.strictAlternation ? checkRoles(live) : []),
  ];
}

interface Open {
  readonly message: Message;
  readonly record: number;
  answered: boolean;
}

/** Every call is answered once, in the messages that follow its reply; every result answers a call. */
function checkPairs(conversation: Conversation, live: readonly Message[]): Finding[] {
  const findings: Finding[] = [];
  const open = new Map<string, Open>();
  for (const [position, message] of live.entries()) {
    for (const index of message.blocks) {
      const block = conversation.blocks[index];
      const id = block?.callId;
      if (block === undefined || id === undefined || id === '') continue;
      if (block.kind === 'toolCall') {
        // Ids are used again by some clients: a result answers the latest call.
        const earlier = open.get(id);
        if (earlier?.answered === false) findings.push(unanswered(id, earlier));
        open.set(id, { message, record: block.record, answered: false });
        continue;
      }
      if (block.kind !== 'toolResult') continue;
      const call = open.get(id);
      if (call === undefined)
        findings.push(pair('orphan-result', `the result ${id} answers no call`, id, block.record));
      else if (call.answered)
        findings.push(
          pair('duplicate-result', `the call ${id} is answered twice`, id, block.record),
        );
      else {
        if (!follows(live, position, call.message)) {
          findings.push(
            pair('result-position', `the result ${id} does not follow its call`, id, block.record),
          );
        }
        call.answered = true;
      }
    }
  }
  const last = live.at(-1);
  for (const [id, call] of open) {
    // A call at the live end is waiting for its result, not broken.
    if (call.answered || call.message === last) continue;
    findings.push(unanswered(id, call));
  }
  return findings;
}

/** Between a reply and the message with its results there are only messages with results. */
function follows(live: readonly Message[], position: number, call: Message): boolean {
  for (let at = position - 1; at >= 0; at -= 1) {
    const message = live[at] as Message;
    if (message === call) return true;
    if (message.role === 'assistant' || message.real) return false;
  }
  return false;
}

function unanswered(id: string, { record }: Open): Finding {
  return pair('unanswered-call', `the call ${id} has no result`, id, record);
}

function pair(code: string, text: string, id: string, record: number): Finding {
  return { code, text, key: id, record };
}

function checkTexts(conversation: Conversation, live: readonly Message[]): Finding[] {
  let count = 0;
  return live.flatMap((message) =>
    message.blocks.flatMap((index) => {
      const block = conversation.blocks[index];
      if (block?.kind !== 'text' || !block.blank) return [];
      count += 1;
      return [
        {
          code: 'empty-text',
          text: 'a text block is empty',
          key: `empty ${count}`,
          record: block.record,
        },
      ];
    }),
  );
}

function checkRoles(live: readonly Message[]): Finding[] {
  const turns = live.filter((message) => message.role !== 'system');
  let count = 0;
  return turns.flatMap((message, index) => {
    if (index === 0 || turns[index - 1]?.role !== message.role) return [];
    count += 1;
    const record = message.records[0] ?? 0;
    return [
      {
        code: 'role-order',
        text: `two ${message.role} messages follow one another`,
        key: `roles ${count}`,
        record,
      },
    ];
  });
}
