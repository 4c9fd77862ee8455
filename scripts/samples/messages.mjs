import { PNG, STORY, SYSTEM, TOOLS } from './story.mjs';

// Writers of the message-array formats: one function a format, each from the story to a document.

const schema = (parameters) => ({
  type: 'object',
  properties: Object.fromEntries(parameters.map((name) => [name, { type: 'string' }])),
  required: parameters,
});

/** OpenAI Chat Completions messages. */
export function openaiMessages() {
  const messages = [{ role: 'system', content: SYSTEM }];
  for (const turn of STORY) {
    if (turn.results) {
      messages.push(
        ...turn.results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text })),
      );
    } else if (turn.user) {
      const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } };
      const content = turn.image ? [{ type: 'text', text: turn.user }, image] : turn.user;
      messages.push({ role: 'user', content });
    } else {
      const calls = (turn.calls ?? []).map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      }));
      messages.push({
        role: 'assistant',
        content: turn.text,
        ...(calls.length > 0 ? { tool_calls: calls } : {}),
      });
    }
  }
  return messages;
}

/** A Chat Completions request body. */
export function openaiBody() {
  const tools = TOOLS.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters: schema(parameters) },
  }));
  return { model: 'gpt-4.1', messages: openaiMessages(), tools };
}

/** Content blocks of the Anthropic Messages API for one turn. */
export function anthropicContent(turn, signature = 'c2FtcGxlLXNpZ25hdHVyZQ==') {
  if (turn.results) {
    return turn.results.map(({ id, text, isError }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: text,
      ...(isError ? { is_error: true } : {}),
    }));
  }
  if (turn.user) {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
    return [{ type: 'text', text: turn.user }, ...(turn.image ? [image] : [])];
  }
  return [
    ...(turn.thinking ? [{ type: 'thinking', thinking: turn.thinking, signature }] : []),
    { type: 'text', text: turn.text },
    ...(turn.calls ?? []).map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
  ];
}

/** An Anthropic request body. */
export function anthropicBody() {
  const messages = STORY.map((turn) => ({
    role: turn.results || turn.user ? 'user' : 'assistant',
    content: turn.user && !turn.image ? turn.user : anthropicContent(turn),
  }));
  const tools = TOOLS.map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: schema(parameters),
  }));
  return { model: 'claude-sonnet-4-5', max_tokens: 4096, system: SYSTEM, tools, messages };
}

/** Converse messages; `reasoning` and `bytes` differ between the SDKs. */
export function converseMessages({ reasoning, bytes }) {
  return STORY.map((turn) => {
    if (turn.results) {
      const content = turn.results.map(({ id, text, isError }) => ({
        toolResult: {
          toolUseId: id,
          status: isError ? 'error' : 'success',
          content: id === 't06' ? [{ text }, { json: { updated: true, lines: 1 } }] : [{ text }],
        },
      }));
      return { role: 'user', content };
    }
    if (turn.user) {
      const image = { image: { format: 'png', source: { bytes: bytes(PNG) } } };
      return { role: 'user', content: [{ text: turn.user }, ...(turn.image ? [image] : [])] };
    }
    const content = [
      ...(turn.thinking && reasoning ? [reasoning(turn.thinking)] : []),
      { text: turn.text },
      ...(turn.calls ?? []).map(({ id, name, input }) => ({
        toolUse: { name, toolUseId: id, input },
      })),
    ];
    return { role: 'assistant', content };
  });
}

const typescriptReasoning = (text) => ({ reasoning: { text, signature: 'c2FtcGxl' } });

/** A Strands TypeScript snapshot; the third person's turn is pinned. */
export function strandsTs() {
  const messages = converseMessages({ reasoning: typescriptReasoning, bytes: (data) => data }).map(
    (message, index) => ({
      ...message,
      trackingId: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      ...(index === 7 ? { metadata: { custom: { pinned: true } } } : {}),
    }),
  );
  return {
    scope: 'agent',
    schemaVersion: '1.0',
    createdAt: '2026-09-01T08:30:00.000Z',
    data: { messages, state: {}, systemPrompt: SYSTEM, modelState: {}, interrupts: {} },
    appData: {},
  };
}

const pythonMessages = () =>
  converseMessages({
    reasoning: (text) => ({ reasoningContent: { reasoningText: { text, signature: 'c2FtcGxl' } } }),
    bytes: (data) => ({ __bytes_encoded__: true, data }),
  });

/** A Strands Python snapshot. */
export function strandsPy() {
  return {
    scope: 'agent',
    schema_version: '1.0',
    created_at: '2026-09-01T08:30:00.000000+00:00',
    data: {
      messages: pythonMessages(),
      state: {},
      conversation_manager_state: {
        __name__: 'SlidingWindowConversationManager',
        removed_message_count: 0,
      },
      interrupt_state: {},
      system_prompt: SYSTEM,
      model_state: {},
    },
    app_data: {},
  };
}

/** Files of a Strands Python message log, by path. */
export function strandsLog() {
  const time = '2026-09-01T08:30:00.000000+00:00';
  const times = { created_at: time, updated_at: time };
  const manager = { __name__: 'SlidingWindowConversationManager', removed_message_count: 0 };
  const files = new Map();
  files.set('session.json', { session_id: 'shop', session_type: 'AGENT', ...times });
  const agent = {
    agent_id: 'default',
    state: {},
    conversation_manager_state: manager,
    _internal_state: {},
    ...times,
  };
  files.set('agents/agent_default/agent.json', agent);
  pythonMessages().forEach((message, index) => {
    const path = `agents/agent_default/messages/message_${index}.json`;
    files.set(path, { message, message_id: index, redact_message: null, ...times });
  });
  return files;
}

/** A bare list of Converse messages. */
export function converse() {
  return converseMessages({ reasoning: null, bytes: (data) => data });
}
