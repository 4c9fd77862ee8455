// A synthetic Claude Code session of any size, the same for the same seed. Shapes and weights are those of real
// sessions: source listings, logs, JSON, grep output, prose, minified code, base64, CJK; sizes log-normal.
import { closeSync, openSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { dice } from '../scripts/samples/story.mjs';

const LETTERS = 'etaoinshrdlucmfwypvbgkqjxz';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Writes a session of about `megabytes` to `path`. */
export function writeSession(path, megabytes, seed) {
  const make = maker(seed);
  const fd = openSync(path, 'w');
  let size = 0;
  try {
    for (const line of session(make, () => size < megabytes * 1_000_000))
      size += writeSync(fd, `${line}\n`);
  } finally {
    closeSync(fd);
  }
  return size;
}

/** Records of a session, with a valid chain, until `more` says stop. */
function* session(make, more) {
  const { roll } = make;
  const envelope = {
    isSidechain: false,
    userType: 'external',
    cwd: '/home/dev/shop',
    sessionId: 'bench',
    version: '2.1.300',
    gitBranch: 'main',
  };
  const recent = [];
  let parent = null;
  let count = 0;
  const chain = (type, message, own = {}) => {
    count += 1;
    const uuid = `${count.toString(16).padStart(8, '0')}-0000-4000-8000-${Math.floor(
      roll() * 2 ** 40,
    )
      .toString(16)
      .padStart(12, '0')}`;
    const record = {
      parentUuid: parent,
      ...envelope,
      type,
      message,
      uuid,
      timestamp: '2026-09-01T08:00:00.000Z',
      ...own,
    };
    parent = uuid;
    return JSON.stringify(record);
  };
  yield chain('user', { role: 'user', content: `Please mend the shop. ${make.prose(400)}` });
  for (let turn = 1; more(); turn += 1) {
    const id = `msg_${turn}`;
    const usage = { input_tokens: 1000 + turn, output_tokens: 80 };
    const reply = (block) => ({
      id,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [block],
      usage,
    });
    if (turn % 2 === 0)
      yield chain(
        'assistant',
        reply({ type: 'thinking', thinking: make.prose(500), signature: make.base64(240) }),
      );
    yield chain('assistant', reply({ type: 'text', text: make.prose(180) }));
    const call = `toolu_${turn}`;
    yield chain(
      'assistant',
      reply({
        type: 'tool_use',
        id: call,
        name: make.pick(['Bash', 'Read', 'Grep']),
        input: { command: make.prose(60) },
      }),
    );
    const text = roll() < 0.12 && recent.length > 0 ? make.pick(recent) : make.output();
    recent.push(text);
    if (recent.length > 64) recent.shift();
    const content = roll() < 0.3 ? [{ type: 'text', text }] : text;
    const block = {
      tool_use_id: call,
      type: 'tool_result',
      content,
      ...(roll() < 0.1 ? { is_error: true } : {}),
    };
    const copy =
      roll() < 0.35 ? { toolUseResult: { stdout: text, stderr: '', interrupted: false } } : {};
    yield chain(
      'user',
      { role: 'user', content: [block] },
      { sourceToolAssistantUUID: parent, ...copy },
    );
    if (turn % 12 === 0) yield chain('user', { role: 'user', content: make.prose(160) });
  }
  yield chain('assistant', {
    id: 'msg_last',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [{ type: 'text', text: 'Done.' }],
  });
}

/** Repeats a part until the size is reached. */
function fill(size, part) {
  const parts = [];
  for (let length = 0; length < size; ) {
    const text = part();
    parts.push(text);
    length += text.length;
  }
  return parts.join('').slice(0, size);
}

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
    fill(size, () => Array.from({ length: 76 }, () => BASE64[below(64)]).join(''));
  const code = (size) =>
    fill(
      size,
      () =>
        `  const ${word()} = ${word()}.${word()}(${below(9999)}, '${word()}'); // ${word()} ${word()}\n`,
    );
  const shapes = [
    [
      30,
      (size) =>
        fill(size, () => `${String(below(9999)).padStart(6)}\t${code(64).replaceAll('\n', ' ')}\n`),
    ],
    [
      14,
      (size) =>
        fill(
          size,
          () =>
            `2026-09-01T08:${String(below(60)).padStart(2, '0')}:${String(below(60)).padStart(2, '0')}Z INFO ${word()} id=${below(2 ** 31).toString(16)} ms=${below(900)} ${word()}\n`,
        ),
    ],
    [
      14,
      (size) =>
        fill(
          size,
          () =>
            `{"${word()}":${roll().toFixed(6)},"id":${below(2 ** 31)},"${word()}":"${word()} ${word()}"},`,
        ),
    ],
    [
      10,
      (size) =>
        fill(
          size,
          () => `src/${word()}/${word()}.ts:${below(900)}: ${word()} ${word()} ${word()}\n`,
        ),
    ],
    [
      6,
      (size) =>
        fill(
          size,
          () =>
            `-rw-r--r-- 1 dev dev ${String(below(99_999)).padStart(8)} Sep  1 08:00 ${word()}.${pick(['ts', 'js', 'json'])}\n`,
        ),
    ],
    [8, code],
    [6, prose],
    [
      3,
      (size) =>
        fill(size, () => `function ${word()}(${word()[0]}){return ${word()}(${below(99)})};`),
    ],
    [3, () => base64(roll() < 0.08 ? 500_000 + below(1_500_000) : 2000 + below(118_000))],
    [3, (size) => fill(size, () => String.fromCharCode(0x4e00 + below(3000)))],
    [
      3,
      (size) =>
        fill(
          size,
          () => `\u001b[3${below(8)}m${word()}\u001b[0m ${pick(['✅', '🚀', '❌'])} ${word()}\n`,
        ),
    ],
  ];
  const weights = shapes.flatMap(([weight, shape]) => Array.from({ length: weight }, () => shape));
  const output = () =>
    pick(weights)(Math.round(Math.min(400_000, Math.max(40, 2200 * Math.exp(1.7 * gauss())))));
  return { roll, pick, prose, base64, output };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [path, megabytes = '10', seed = '4242'] = process.argv.slice(2);
  process.stdout.write(`${path}: ${writeSession(path, Number(megabytes), Number(seed))} bytes\n`);
}
