/** In-memory transcripts of several formats from one compact description. */

import { type Content, messages, type Part, type Turn } from './turns.ts';

export * from './turns.ts';

const MODEL = 'some-model-without-a-known-window';

function parts(content: Content): readonly Part[] {
  return typeof content === 'string' ? [{ text: content }] : content;
}

function anthropicParts(content: Content): unknown {
  if (typeof content === 'string') return content;
  return content.map((part) =>
    part.image === undefined
      ? { type: 'text', text: part.text ?? JSON.stringify(part.json) }
      : {
          type: 'image',
          source: { type: 'base64', media_type: 'image/png', data: part.image },
        },
  );
}

function anthropicBlocks(turn: Turn): unknown[] {
  switch (turn.type) {
    case 'user':
    case 'assistant': {
      const content = anthropicParts(turn.content);
      return typeof content === 'string' ? [{ type: 'text', text: content }] : (content as []);
    }
    case 'thinking':
      return [{ type: 'thinking', thinking: turn.text, signature: turn.signature ?? '' }];
    case 'call':
      return [{ type: 'tool_use', id: turn.id, name: turn.tool, input: turn.input }];
    case 'result': {
      const { id: tool_use_id, content, error } = turn;
      const failure = error === true ? { is_error: true } : {};
      return [{ type: 'tool_result', tool_use_id, content: anthropicParts(content), ...failure }];
    }
    default:
      return [];
  }
}

/** Claude Code session lines: one line a block of a reply, results and user texts a line each. */
export function claudeCode(turns: readonly Turn[]): Buffer {
  let parentUuid: string | null = null;
  let line = 0;
  const lines: string[] = [];
  for (const [number, group] of messages(turns).entries()) {
    for (const turn of group.turns) {
      line += 1;
      const uuid = `00000000-0000-4000-8000-${String(line).padStart(12, '0')}`;
      const plain = turn.type === 'user' ? anthropicParts(turn.content) : anthropicBlocks(turn);
      const message =
        group.kind === 'reply'
          ? { id: `msg_${number}`, model: MODEL, role: 'assistant', content: plain }
          : { role: 'user', content: plain };
      lines.push(
        JSON.stringify({
          parentUuid,
          isSidechain: false,
          sessionId: 's1',
          version: '2.1.332',
          type: message.role,
          message,
          uuid,
          timestamp: `2026-01-01T00:00:${String(line % 60).padStart(2, '0')}.000Z`,
        }),
      );
      parentUuid = uuid;
    }
  }
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** Anthropic Messages: a request body. */
function anthropic(turns: readonly Turn[]): Buffer {
  const list = messages(turns).map(({ kind, turns: own }) => {
    const [only] = own;
    const role = kind === 'reply' ? 'assistant' : 'user';
    const plain = own.length === 1 && (only?.type === 'user' || only?.type === 'assistant');
    return {
      role,
      content: plain ? anthropicParts(only.content) : own.flatMap(anthropicBlocks),
    };
  });
  return Buffer.from(JSON.stringify({ model: MODEL, system: '', max_tokens: 100, messages: list }));
}

function converseItem(part: Part): unknown {
  if (part.image !== undefined) return { image: { format: 'png', source: { bytes: part.image } } };
  if (part.document !== undefined)
    return { document: { format: 'pdf', name: 'paper', source: part.document } };
  return part.text === undefined ? { json: part.json } : { text: part.text };
}

function converseBlocks(turn: Turn): unknown[] {
  switch (turn.type) {
    case 'user':
    case 'assistant':
      return parts(turn.content).map(converseItem);
    case 'thinking':
      return [{ reasoning: { text: turn.text, signature: turn.signature } }];
    case 'call':
      return [{ toolUse: { name: turn.tool, toolUseId: turn.id, input: turn.input } }];
    case 'result': {
      const status = turn.error === true ? 'error' : 'success';
      const content = parts(turn.content).map(converseItem);
      return [{ toolResult: { toolUseId: turn.id, status, content } }];
    }
    default:
      return [];
  }
}

function converseMessages(turns: readonly Turn[]): Record<string, unknown>[] {
  return messages(turns).map(({ kind, turns: own }) => {
    const isPinned = own.some((turn) => 'pinned' in turn);
    return {
      role: kind === 'reply' ? 'assistant' : 'user',
      content: own.flatMap(converseBlocks),
      ...(isPinned ? { metadata: { custom: { pinned: true } } } : {}),
    };
  });
}

/** Bare Bedrock Converse messages. */
export function converse(turns: readonly Turn[]): Buffer {
  return Buffer.from(JSON.stringify(converseMessages(turns)));
}

/** Strands TypeScript snapshot. */
export function strandsTs(turns: readonly Turn[]): Buffer {
  const list = converseMessages(turns).map((message, index) => ({
    ...message,
    trackingId: `track-${index}`,
  }));
  const data = { messages: list, state: {}, systemPrompt: '' };
  return Buffer.from(
    JSON.stringify({
      scope: 'agent',
      schemaVersion: '1.0',
      createdAt: '2026-01-01T00:00:00Z',
      data,
      appData: {},
    }),
  );
}

function openaiParts(content: Content): unknown {
  if (typeof content === 'string') return content;
  return content.map((part) =>
    part.image === undefined
      ? { type: 'text', text: part.text ?? JSON.stringify(part.json) }
      : { type: 'image_url', image_url: { url: `data:image/png;base64,${part.image}` } },
  );
}

function text(content: Content): string {
  return parts(content)
    .map((part) => part.text ?? '')
    .join('\n');
}

/** OpenAI Chat Completions: a request body. */
export function openaiChat(turns: readonly Turn[]): Buffer {
  const list = messages(turns).flatMap(({ kind, turns: own }): unknown[] => {
    if (kind === 'user')
      return own.map((turn) => ({
        role: 'user',
        content: 'content' in turn ? openaiParts(turn.content) : '',
      }));
    if (kind === 'result')
      return own.map((turn) =>
        turn.type === 'result'
          ? { role: 'tool', tool_call_id: turn.id, content: openaiParts(turn.content) }
          : {},
      );
    const said = own.flatMap((turn) => (turn.type === 'assistant' ? [text(turn.content)] : []));
    const calls = own.flatMap((turn) =>
      turn.type === 'call'
        ? [
            {
              id: turn.id,
              type: 'function',
              function: { name: turn.tool, arguments: JSON.stringify(turn.input) },
            },
          ]
        : [],
    );
    return [
      {
        role: 'assistant',
        content: said.length === 0 ? null : said.join('\n'),
        ...(calls.length === 0 ? {} : { tool_calls: calls }),
      },
    ];
  });
  return Buffer.from(JSON.stringify({ model: MODEL, messages: list }));
}

/** Codex rollout lines. */
function codex(turns: readonly Turn[]): Buffer {
  const timestamp = '2026-01-01T00:00:00.000Z';
  const line = (type: string, payload: unknown) => JSON.stringify({ timestamp, type, payload });
  const lines = turns.flatMap((turn): string[] => {
    const item = codexItem(turn);
    return item === undefined ? [] : [line('response_item', item)];
  });
  const head = [
    line('session_meta', { id: 's1', timestamp, cwd: '/w', originator: 'codex_cli' }),
    line('turn_context', { cwd: '/w', model: MODEL }),
  ];
  return Buffer.from(`${[...head, ...lines].join('\n')}\n`);
}

function codexItem(turn: Turn): unknown {
  switch (turn.type) {
    case 'user':
      return message('user', 'input_text', text(turn.content));
    case 'assistant':
      return message('assistant', 'output_text', text(turn.content));
    case 'call': {
      const { id: call_id, tool: name, input } = turn;
      return { type: 'function_call', name, arguments: JSON.stringify(input), call_id };
    }
    case 'result':
      return { type: 'function_call_output', call_id: turn.id, output: text(turn.content) };
    default:
      return undefined;
  }
}

function message(role: string, type: string, content: string): unknown {
  return { type: 'message', role, content: [{ type, text: content }] };
}

/** Every builder by the name of its format. */
export const BUILDERS: Readonly<Record<BuilderName, (turns: readonly Turn[]) => Buffer>> = {
  'claude-code': claudeCode,
  'strands-ts': strandsTs,
  converse: converse,
  'openai-chat': openaiChat,
  anthropic: anthropic,
  codex: codex,
};

export type BuilderName =
  | 'claude-code'
  | 'strands-ts'
  | 'converse'
  | 'openai-chat'
  | 'anthropic'
  | 'codex';
