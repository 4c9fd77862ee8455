// Records of Claude Code: one a line, a valid chain, a block of a reply in a record of its own.

const MODEL = 'claude-sonnet-4-5';

export function recorder(g) {
  const sessionId = g.uuid();
  let parent = null;
  const envelope = {
    userType: 'external',
    entrypoint: 'cli',
    cwd: '/home/dev/work',
    sessionId,
    version: '2.1.332',
    gitBranch: 'main',
  };
  const chain = (type, message, more = {}) => {
    const uuid = g.uuid();
    const start = { parentUuid: parent, isSidechain: false, type, message, uuid };
    parent = uuid;
    return `${JSON.stringify({ ...start, timestamp: g.clock(), ...more, ...envelope })}\n`;
  };
  const reply = (id, block, stop) =>
    chain('assistant', {
      model: MODEL,
      id,
      type: 'message',
      role: 'assistant',
      content: [block],
      stop_reason: stop,
      stop_sequence: null,
    });
  const replyId = () => `msg_01${g.alnum(22)}`;
  return {
    user: (content) => chain('user', { role: 'user', content }, { permissionMode: 'acceptEdits' }),
    say: (text) => reply(replyId(), { type: 'text', text }, 'end_turn'),
    /** What is said, the call, and its result. */
    *call(text, name, input, result, failed) {
      const id = replyId();
      const callId = `toolu_01${g.alnum(22)}`;
      yield reply(id, { type: 'text', text }, null);
      yield reply(id, { type: 'tool_use', id: callId, name, input }, 'tool_use');
      const answer = { tool_use_id: callId, type: 'tool_result', content: result };
      yield chain('user', {
        role: 'user',
        content: [failed ? { ...answer, is_error: true } : answer],
      });
    },
  };
}
