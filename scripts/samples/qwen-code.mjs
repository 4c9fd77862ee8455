// Qwen Code sessions: records chained by parentUuid, with the parts of Gemini contents.
import { hex, uuid } from './dice.mjs';
import { clock, GO_ON, promptParts, response, shown, use } from './gemini.mjs';
import { answer, FOLDER } from './story.mjs';

const SNAPSHOT =
  '<state_snapshot>\n<overall_goal>Find why order A-4471 was charged 10.04 EUR instead of 10.05 EUR, and fix it.</overall_goal>\n<key_knowledge>Keep the public API of src/pricing.js; amounts are whole cents.</key_knowledge>\n<recent_actions>npm test ran; one test fails; its log is in logs/test.log.</recent_actions>\n</state_snapshot>';

/** The records of a Qwen Code session that was compressed once and rewound once. */
export function qwenCode(turns) {
  const tick = clock();
  const records = [];
  let parentUuid = null;
  const add = (type, fields, label = `${records.length}`) => {
    const id = uuid(`qwen/${label}`);
    records.push({
      uuid: id,
      parentUuid,
      sessionId: uuid('qwen/session'),
      timestamp: tick(),
      type,
      cwd: FOLDER,
      version: '0.15.10',
      gitBranch: 'main',
      ...fields,
    });
    parentUuid = id;
    return id;
  };
  const prompt = (parts) => add('user', { message: { role: 'user', parts } });
  for (const [index, turn] of turns.entries()) {
    if (turn.user) {
      if (turn.picture) detour();
      prompt(promptParts(turn));
      continue;
    }
    const { think, say, calls = [] } = turn;
    const ids = calls.map((_, place) => `call_${hex(`qwen/${index}/${place}`, 24)}`);
    const parts = [
      ...(think ? [{ text: think, thought: true }] : []),
      { text: say },
      ...calls.map((call, place) => ({ functionCall: { id: ids[place], ...use(call) } })),
    ];
    const usageMetadata = { promptTokenCount: 6000 + index * 900, candidatesTokenCount: 90 };
    add('assistant', {
      model: 'qwen3-coder-plus',
      message: { role: 'model', parts },
      usageMetadata,
    });
    const uiEvent = { 'event.name': 'qwen-code.api_response', model: 'qwen3-coder-plus' };
    add('system', { subtype: 'ui_telemetry', systemPayload: { uiEvent } });
    for (const [place, call] of calls.entries()) {
      const callId = ids[place];
      add('tool_result', {
        message: { role: 'user', parts: [response(callId, call)] },
        toolCallResult: {
          callId,
          status: 'success',
          resultDisplay: call.run ? answer(call) : `Read ${shown(call)}`,
        },
      });
    }
    if (index === 1) compress();
  }
  add('system', { subtype: 'custom_title', systemPayload: { customTitle: 'One cent short' } });
  return records;

  function compress() {
    const compressedHistory = [
      { role: 'user', parts: [{ text: SNAPSHOT }] },
      { role: 'model', parts: [{ text: 'Got it. Thanks for the additional context!' }] },
    ];
    const info = { originalTokenCount: 9100, newTokenCount: 700, compressionStatus: 1 };
    add('system', { subtype: 'chat_compression', systemPayload: { info, compressedHistory } });
    prompt([{ text: GO_ON }]);
  }

  function detour() {
    const back = parentUuid;
    prompt([{ text: 'Please rename src/money.js to src/cents.js as well.' }]);
    const parts = [{ text: 'I would have to touch every import. Shall I?' }];
    add('assistant', { model: 'qwen3-coder-plus', message: { role: 'model', parts } });
    parentUuid = back;
    add('system', { subtype: 'rewind', systemPayload: { truncatedCount: 2 } });
  }
}
