// A synthetic session of any size, the same for the same seed, written as it is made. Kinds and sizes of tool results
// are those of real sessions. Usage: node bench/corpus.mjs PATH [MB] [SEED] [--shape claude|openai|strands]
import { closeSync, openSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { dice } from '../scripts/samples/dice.mjs';

const LETTERS = 'etaoinshrdlucmfwypvbgkqjxz';
const MODEL = 'claude-sonnet-4-5';
const SHAPES = { claude: claudeSession, openai: openaiDocument, strands: strandsDocument };

/**
 * Writes a session of about `megabytes` to `path` and returns its size in bytes.
 * @param {string} path
 * @param {number} megabytes
 * @param {number} seed
 * @param {'claude' | 'openai' | 'strands'} shape
 */
export function writeCorpus(path, megabytes, seed, shape = 'claude') {
  const make = maker(seed);
  const fd = openSync(path, 'w');
  let size = 0;
  try {
    for (const part of SHAPES[shape](
      make,
      turns(make, () => size < megabytes * 1_000_000),
    ))
      size += writeSync(fd, part);
  } finally {
    closeSync(fd);
  }
  return size;
}

/** What happens, whatever the shape: prompts and replies with calls, until `more` says stop. */
function* turns({ roll, pick, prose, base64, output }, more) {
  const recent = [];
  const call = (number, place) => {
    const text = roll() < 0.12 && recent.length > 0 ? pick(recent) : output();
    recent.push(text);
    if (recent.length > 64) recent.shift();
    const name = pick(['Bash', 'Read', 'Grep']);
    return {
      id: `toolu_01${String(number).padStart(10, '0')}${place}${base64(11).replaceAll(/[+/]/g, 'x')}`,
      name,
      input:
        name === 'Read' ? { file_path: `/home/dev/shop/${prose(12)}` } : { command: prose(60) },
      text,
      list: roll() < 0.3,
      failed: roll() < 0.1,
      copied: roll() < 0.35,
    };
  };
  yield { user: `Please mend the shop. ${prose(400)}` };
  for (let number = 1; more(); number += 1) {
    const thinking = number % 2 === 0 ? prose(500) : undefined;
    const calls = Array.from({ length: roll() < 0.1 ? 2 : 1 }, (_, place) => call(number, place));
    yield { number, thinking, signature: base64(240), say: prose(180), calls };
    if (number % 12 === 0) {
      yield { number, say: prose(240), calls: [] };
      yield { user: prose(160) };
    }
  }
  yield { number: 'last', say: 'Done.', calls: [] };
}

const line = (record) => `${JSON.stringify(record)}\n`;

/** Claude Code: one record a line, a valid chain, one block a record, parallel results below their own calls. */
function* claudeSession({ uuid }, story) {
  const sessionId = uuid();
  const envelope = {
    userType: 'external',
    entrypoint: 'cli',
    cwd: '/home/dev/shop',
    sessionId,
    version: '2.1.300',
    gitBranch: 'main',
  };
  let now = Date.UTC(2026, 8, 1, 8);
  let parent = null;
  const chain = (parentUuid, type, body, own = {}) => {
    const id = uuid();
    now += 700;
    const timestamp = new Date(now).toISOString();
    parent = id;
    const start = { parentUuid, isSidechain: false };
    return line({ ...start, type, ...body, uuid: id, timestamp, ...own, ...envelope });
  };
  const queue = (operation, more) => {
    const timestamp = new Date(now).toISOString();
    return line({ type: 'queue-operation', operation, timestamp, sessionId, ...more });
  };
  let first = true;
  let lastPrompt = '';
  for (const { user, number, thinking, signature, say, calls } of story) {
    if (user) {
      lastPrompt = user.slice(0, 200);
      yield queue('enqueue', { content: user });
      yield queue('dequeue', {});
      yield chain(parent, 'user', { message: { role: 'user', content: user } });
      if (first) {
        const content = "<system-reminder>\nToday's date is 2026-09-01.\n</system-reminder>";
        const attachment = { type: 'date', date: '2026-09-01' };
        const rendered = { rendered: [{ content }], renderedRole: 'system' };
        yield chain(parent, 'attachment', { attachment }, rendered);
      }
      first = false;
      continue;
    }
    const blocks = [
      ...(thinking ? [{ type: 'thinking', thinking, signature }] : []),
      { type: 'text', text: say },
      ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
    ];
    const callers = [];
    for (const block of blocks) {
      const message = {
        id: `msg_01${String(number).padStart(22, '0')}`,
        type: 'message',
        role: 'assistant',
        model: MODEL,
        content: [block],
        stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 1000, cache_read_input_tokens: 0, output_tokens: 80 },
      };
      yield chain(parent, 'assistant', { message }, { requestId: `req_01${number}` });
      if (block.type === 'tool_use') callers.push(parent);
    }
    for (const [place, { id, text, list, failed, copied }] of calls.entries()) {
      const content = list ? [{ type: 'text', text }] : text;
      const result = { tool_use_id: id, type: 'tool_result', content };
      const block = failed ? { ...result, is_error: true } : result;
      const copy = failed ? `Error: ${text}` : { stdout: text, stderr: '', interrupted: false };
      yield chain(
        callers[place],
        'user',
        { message: { role: 'user', content: [block] } },
        { ...(copied ? { toolUseResult: copy } : {}), sourceToolAssistantUUID: callers[place] },
      );
    }
    if (calls.length > 0) continue;
    yield chain(parent, 'system', { subtype: 'turn_duration', durationMs: 48_120, isMeta: false });
    yield line({ type: 'last-prompt', lastPrompt, leafUuid: parent, sessionId });
  }
}

/** Joins messages to the inside of an array. */
function* listed(messages) {
  let comma = '';
  for (const message of messages) {
    yield comma + JSON.stringify(message);
    comma = ',';
  }
}

/** One Chat Completions request body. */
function* openaiDocument(_, story) {
  yield '{"model":"gpt-4.1","messages":[';
  yield* listed(openaiMessages(story));
  yield '],"tools":[]}\n';
}

function* openaiMessages(story) {
  yield { role: 'system', content: 'You are a careful engineer.' };
  for (const { user, say, calls } of story) {
    if (user) {
      yield { role: 'user', content: user };
      continue;
    }
    const tool_calls = calls.map(({ id, name, input }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }));
    yield { role: 'assistant', content: say, ...(calls.length > 0 ? { tool_calls } : {}) };
    for (const { id, text } of calls) yield { role: 'tool', tool_call_id: id, content: text };
  }
}

/** One Strands TypeScript snapshot. */
function* strandsDocument({ uuid }, story) {
  yield '{"scope":"agent","schemaVersion":"1.0","createdAt":"2026-09-01T08:00:00.000Z","data":{"messages":[';
  yield* listed(strandsMessages(uuid, story));
  yield '],"state":{},"systemPrompt":"You are a careful engineer.","modelState":{},"interrupts":{"interrupts":{},"activated":false}},"appData":{}}';
}

function* strandsMessages(uuid, story) {
  const message = (role, content) => ({ role, content, trackingId: uuid() });
  for (const { user, thinking, signature, say, calls } of story) {
    if (user) {
      yield message('user', [{ text: user }]);
      continue;
    }
    const reasoning = thinking ? [{ reasoning: { text: thinking, signature } }] : [];
    const uses = calls.map(({ id, name, input }) => ({ toolUse: { name, toolUseId: id, input } }));
    yield message('assistant', [...reasoning, { text: say }, ...uses]);
    if (calls.length === 0) continue;
    const results = calls.map(({ id, text, failed }) => ({
      toolResult: { toolUseId: id, status: failed ? 'error' : 'success', content: [{ text }] },
    }));
    yield message('user', results);
  }
}

const pad = (value, width, by = '0') => String(value).padStart(width, by);

/** Repeats a part until the size is reached; never ends inside a surrogate pair. */
function fill(size, part) {
  const parts = [];
  for (let length = 0; length < size; ) {
    const text = part();
    parts.push(text);
    length += text.length;
  }
  return parts
    .join('')
    .slice(0, size)
    .replace(/[\ud800-\udbff]$/, '');
}

const repeat = (part) => (size) => fill(size, part);

/** Everything that is drawn by lot. */
function maker(seed) {
  const roll = dice(seed);
  const below = (limit) => Math.floor(roll() * limit);
  const pick = (list) => list[below(list.length)];
  const words = Array.from({ length: 6000 }, () =>
    Array.from({ length: 2 + below(9) }, () => LETTERS[Math.floor(26 * roll() ** 1.6)]).join(''),
  );
  // A skewed choice: few words are frequent, as in real text.
  const word = () => words[Math.floor(words.length * roll() ** 3)];
  const gauss = () => Math.sqrt(-2 * Math.log(1 - roll())) * Math.cos(2 * Math.PI * roll());
  const prose = (size) => fill(size, () => `${word()}${roll() < 0.1 ? '.\n' : ' '}`);
  const base64 = (size) =>
    fill(size, () => Buffer.from(Array.from({ length: 57 }, () => below(256))).toString('base64'));
  const hex = (length) => pad(below(16 ** length).toString(16), length);
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(6)}${hex(6)}`;
  // A run without punctuation stays short, as in real text: tiktoken takes quadratic time for one long piece.
  const ideographs = repeat(() => String.fromCharCode(0x4e00 + Math.floor(3000 * roll() ** 2)));
  const statement = () =>
    `  const ${word()} = ${word()}.${word()}(${below(9999)}, '${word()}'); // ${word()} ${word()}`;
  const clock = () => `2026-09-01T08:${pad(below(60), 2)}:${pad(below(60), 2)}Z`;
  const listing = (size) => {
    let number = below(900);
    return fill(size, () => {
      number += 1;
      return `${pad(number, 6, ' ')}\t${statement()}\n`;
    });
  };
  const kinds = [
    [30, listing],
    [
      14,
      repeat(() => `${clock()} INFO ${word()} id=${hex(8)} ms=${below(900)} ${word()} ${word()}\n`),
    ],
    [
      14,
      repeat(
        () =>
          `{"${word()}":${roll().toFixed(6)},"id":${below(2 ** 31)},"${word()}":"${word()} ${word()}"},`,
      ),
    ],
    [10, repeat(() => `src/${word()}/${word()}.ts:${below(900)}: ${word()} ${word()} ${word()}\n`)],
    [
      6,
      repeat(
        () =>
          `-rw-r--r-- 1 dev dev ${pad(below(99_999), 8, ' ')} Sep  1 08:00 ${word()}.${pick(['ts', 'js', 'json'])}\n`,
      ),
    ],
    [8, repeat(() => `${statement()}\n`)],
    [6, prose],
    [3, repeat(() => `function ${word()}(${word()[0]}){return ${word()}(${below(99)})};`)],
    [3, () => base64(roll() < 0.08 ? 500_000 + below(1_500_000) : 2000 + below(118_000))],
    [3, repeat(() => `${ideographs(4 + below(20))}${pick(['，', '。', '、', '\n'])}`)],
    [
      3,
      repeat(
        () => `\u001b[3${below(8)}m${word()}\u001b[0m ${pick(['✅', '🚀', '❌'])} ${word()}\n`,
      ),
    ],
  ];
  const weighted = kinds.flatMap(([weight, kind]) => Array.from({ length: weight }, () => kind));
  const output = () =>
    pick(weighted)(Math.round(Math.min(400_000, Math.max(40, 2200 * Math.exp(1.7 * gauss())))));
  return { roll, pick, prose, base64, uuid, output };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { shape: { type: 'string', default: 'claude' } },
  });
  const [path, megabytes = '10', seed = '4242'] = positionals;
  if (path === undefined || !(values.shape in SHAPES)) {
    process.stderr.write('usage: corpus.mjs PATH [MB] [SEED] [--shape claude|openai|strands]\n');
    process.exit(2);
  }
  const bytes = writeCorpus(path, Number(megabytes), Number(seed), values.shape);
  process.stdout.write(`${path}: ${bytes} bytes\n`);
}
