// The story that every sample tells: a shop's checkout rounds prices wrongly; an agent finds and mends it.

/** A small seeded generator (mulberry32), so that the samples are the same on every machine. */
export function dice(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const roll = dice(20_260_901);
const pick = (list) => list[Math.floor(roll() * list.length)];

const AREAS = ['cart', 'checkout', 'orders', 'pricing', 'shipping', 'stock', 'tax', 'users'];
const CASES = [
  'adds an item',
  'removes an item',
  'keeps the order of items',
  'rounds to whole cents',
  'applies a voucher once',
  'refuses a negative amount',
  'reads an empty basket',
  'writes an audit line',
];

/** A verbose test log: long, repetitive, with one failure in the middle of it. */
export function testLog(failing) {
  const lines = ['> shop@4.2.0 test', '> node --test --reporter spec', ''];
  for (let index = 1; index <= 520; index += 1) {
    const ms = (roll() * 40).toFixed(2);
    lines.push(
      `  ok ${index} - ${pick(AREAS)} ${pick(CASES)} (${ms} ms) [suite ${pick(AREAS)}-${Math.floor(roll() * 90)}]`,
    );
    if (failing && index === 311) {
      lines.push(
        '  not ok 312 - pricing rounds half cents up (4.18 ms)',
        '    AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 1004 !== 1005',
        '        at rounds (/home/dev/shop/test/pricing.test.js:88:12)',
        '    expected: 1005',
        '    actual: 1004',
      );
    }
  }
  lines.push('', `# tests ${failing ? 521 : 520}`, `# pass 520`, `# fail ${failing ? 1 : 0}`);
  return lines.join('\n');
}

/** A module of the shop with line numbers, as a file reader prints it. */
export function sourceFile(name, functions) {
  const lines = [`// ${name}: amounts are whole cents`, "import { audit } from './audit.js';", ''];
  for (let index = 0; index < functions; index += 1) {
    const area = pick(AREAS);
    lines.push(
      `export function ${area}Step${index}(cents, rate = ${(roll() * 0.3).toFixed(3)}) {`,
      `  const net = Math.floor(cents * (1 - rate));`,
      `  if (net < 0) throw new RangeError('${area}: negative amount');`,
      `  audit('${area}', ${index}, net);`,
      '  return net;',
      '}',
      '',
    );
  }
  return lines.map((line, index) => `${String(index + 1).padStart(4)}\t${line}`).join('\n');
}

/** A server log with one line that matters. */
export function serverLog(count) {
  const lines = [];
  for (let index = 0; index < count; index += 1) {
    const second = String(index % 60).padStart(2, '0');
    const id = Math.floor(roll() * 0xffffff)
      .toString(16)
      .padStart(6, '0');
    lines.push(
      `2026-09-01T08:${String(Math.floor(index / 60)).padStart(2, '0')}:${second}Z INFO ${pick(AREAS)} request=${id} status=${pick([200, 200, 200, 304, 404])} ms=${Math.floor(roll() * 90)}`,
    );
    if (index === 70)
      lines.push(
        '2026-09-01T08:01:10Z ERROR pricing order=A-4471 total 1004 does not match 1005 (rounding)',
      );
  }
  return lines.join('\n');
}

/** A tiny PNG (2 x 2), base64. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFElEQVR4nGP8z8Dwn4GBgYGJAQoAHxcCAk+Uzr4AAAAASUVORK5CYII=';

export const SYSTEM =
  'You are a careful engineer. Amounts are whole cents. Never edit files under vendor/.';

/** The tools of the story, with their parameters. */
export const TOOLS = [
  { name: 'Bash', description: 'Runs a shell command.', parameters: ['command'] },
  { name: 'Read', description: 'Reads a file.', parameters: ['file_path'] },
  {
    name: 'Edit',
    description: 'Replaces text in a file.',
    parameters: ['file_path', 'old_string', 'new_string'],
  },
];

const call = (id, name, input) => ({ id, name, input });
const result = (id, text, isError = false) => ({ id, text, isError });

/** Turns in order: what the person said, what the agent thought, said and called, and what came back. */
export const STORY = [
  {
    user: 'Order A-4471 was charged 10.04 instead of 10.05. Find the rounding bug in the shop and mend it. You must not change the public API.',
  },
  {
    thinking: 'Start with the tests, then the pricing module.',
    text: 'I will run the tests first.',
    calls: [call('t01', 'Bash', { command: 'npm test' })],
  },
  { results: [result('t01', testLog(true))] },
  {
    text: 'One failure: pricing rounds half cents up. I will read the module and its caller.',
    calls: [
      call('t02', 'Read', { file_path: '/home/dev/shop/src/pricing.js' }),
      call('t03', 'Read', { file_path: '/home/dev/shop/src/checkout.js' }),
    ],
  },
  {
    results: [
      result('t02', sourceFile('pricing.js', 42)),
      result('t03', sourceFile('checkout.js', 38)),
    ],
  },
  {
    thinking: 'Math.floor in every step. The last step must round half up.',
    text: 'Every step uses Math.floor, so half cents are lost. Let me see what the server logged.',
    calls: [call('t04', 'Bash', { command: 'tail -n 170 logs/server.log' })],
  },
  { results: [result('t04', serverLog(170))] },
  {
    text: 'The log confirms it for order A-4471. I decided to round half up in the last step only, because the steps before must not add cents.',
    calls: [
      call('t05', 'Edit', {
        file_path: '/home/dev/shop/src/pricng.js',
        old_string: 'Math.floor(total)',
        new_string: 'Math.round(total)',
      }),
    ],
  },
  { results: [result('t05', 'Error: File does not exist: /home/dev/shop/src/pricng.js', true)] },
  {
    text: 'A typing error in the path.',
    calls: [
      call('t06', 'Edit', {
        file_path: '/home/dev/shop/src/pricing.js',
        old_string: 'Math.floor(total)',
        new_string: 'Math.round(total)',
      }),
    ],
  },
  { results: [result('t06', 'The file /home/dev/shop/src/pricing.js has been updated.')] },
  { text: 'Now the tests again.', calls: [call('t07', 'Bash', { command: 'npm test' })] },
  { results: [result('t07', testLog(false))] },
  { text: 'All 520 tests pass. The rounding is half up in the last step of pricing.js.' },
  {
    user: 'Good. Please also look at this screenshot of the receipt and tell me whether the total is right now.',
    image: PNG,
  },
  { text: 'The total reads 10.05, which is right.' },
  { user: 'Thanks. Write one line for the changelog.' },
  {
    text: 'Fixed: prices are rounded half up to whole cents in the last pricing step (order A-4471).',
  },
];
