// OpenTelemetry GenAI: the attributes of one span, with the messages as JSON.
import { token } from './dice.mjs';
import { answer, RECEIPT, SYSTEM } from './story.mjs';

/** Name and arguments of a call. */
function use({ run, read, edit, from, to }) {
  if (run) return { name: 'run_command', arguments: { command: run } };
  if (read) return { name: 'read_file', arguments: { path: read } };
  return { name: 'replace_in_file', arguments: { path: edit, from, to } };
}

/** What came back: of a command an object. */
const response = (call) =>
  call.run ? { exit_code: call.exit ?? 0, output: answer(call) } : answer(call);

/** The messages of the last request. */
function otelMessages(turns) {
  const messages = [];
  for (const [index, { user, picture, think, say, calls = [] }] of turns.entries()) {
    if (user) {
      const text = { type: 'text', content: user };
      const blob = { type: 'blob', mime_type: 'image/png', modality: 'image', content: RECEIPT };
      messages.push({ role: 'user', parts: picture ? [blob, text] : [text] });
      continue;
    }
    const id = (place) => `call_${token(`otel/${index}/${place}`, 24)}`;
    messages.push({
      role: 'assistant',
      parts: [
        ...(think ? [{ type: 'reasoning', content: think }] : []),
        { type: 'text', content: say },
        ...calls.map((call, place) => ({ type: 'tool_call', id: id(place), ...use(call) })),
      ],
      finish_reason: calls.length > 0 ? 'tool_call' : 'stop',
    });
    for (const [place, call] of calls.entries()) {
      const part = { type: 'tool_call_response', id: id(place), response: response(call) };
      messages.push({ role: 'tool', parts: [part] });
    }
  }
  return messages;
}

/** The attributes of the span of that request. */
export const otelSpan = (turns) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-4.1',
  'gen_ai.usage.input_tokens': 31_204,
  'gen_ai.system_instructions': [{ type: 'text', content: SYSTEM }],
  'gen_ai.input.messages': otelMessages(turns),
});
