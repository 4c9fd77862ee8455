// What the tools of the story print: files of the shop, a test log, a server log.
import { dice } from './dice.mjs';

const maker = (seed) => {
  const roll = dice(seed);
  const below = (limit) => Math.floor(roll() * limit);
  return { roll, below, pick: (list) => list[below(list.length)] };
};

const COUNTRIES =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

const RULES = `// Prices of the shop. Every amount is a whole number of cents; a rate is a fraction of 1.
import { audit } from './audit.js';
import { toCents } from './money.js';

/** The total of one line of an order, without tax. */
export function lineTotal(cents, quantity, voucher = 0) {
  if (!Number.isInteger(cents) || cents < 0) throw new RangeError(\`not an amount: \${cents}\`);
  if (voucher < 0 || voucher > 1) throw new RangeError(\`not a voucher: \${voucher}\`);
  return toCents(cents * quantity * (1 - voucher));
}

/** The tax that a total holds, by country and class of goods. */
export function taxOf(cents, country, goods = 'standard') {
  const rates = VAT[country];
  if (rates === undefined) throw new RangeError(\`no tax rates for \${country}\`);
  return toCents(cents - cents / (1 + rates[goods]));
}

/** The price of a parcel by country and weight. */
export function shippingOf(country, grams) {
  const bands = SHIPPING[country] ?? SHIPPING.DE;
  const band = bands.find(([limit]) => grams <= limit) ?? bands.at(-1);
  return band[1];
}

/** The total of an order with shipping. */
export function orderTotal(order) {
  const lines = order.lines.map((line) => lineTotal(line.cents, line.quantity, order.voucher));
  const goods = lines.reduce((sum, cents) => sum + cents, 0);
  const total = goods + (goods >= order.freeFrom ? 0 : shippingOf(order.country, order.grams));
  audit('total', { order: order.id, goods, total });
  return total;
}
`;

/** src/money.js: a short module with the fault. */
export const MONEY = `// Money is counted in whole cents, everywhere.

/** Makes whole cents of a calculated amount. */
export function toCents(amount) {
  if (!Number.isFinite(amount)) throw new RangeError(\`not an amount: \${amount}\`);
  return Math.floor(amount);
}

/** An amount as people read it: 1005 becomes "10.05 EUR". */
export function formatCents(cents, currency = 'EUR') {
  return \`\${(cents / 100).toFixed(2)} \${currency}\`;
}
`;

/** src/pricing.js: the rules, then tables by country. */
export function pricingModule() {
  const { below, pick } = maker(11);
  const rates = COUNTRIES.map((country) => {
    const standard = pick(['0.19', '0.2', '0.21', '0.22', '0.23', '0.25']);
    const reduced = pick(['0.05', '0.07', '0.09', '0.1', '0.12']);
    return `  ${country}: { standard: ${standard}, reduced: ${reduced}, books: ${pick(['0', '0.05'])} },`;
  });
  const bands = COUNTRIES.map((country) => {
    const base = 390 + 10 * below(40);
    const band = [500, 1000, 2000, 5000, 10_000].map(
      (limit, step) => `[${limit}, ${base + step * 145}]`,
    );
    return `  ${country}: [${band.join(', ')}],`;
  });
  return [
    RULES,
    'const VAT = {',
    ...rates,
    '};',
    '',
    'const SHIPPING = {',
    ...bands,
    '};',
    '',
  ].join('\n');
}

const AREAS = ['basket', 'checkout', 'invoice', 'orders', 'pricing', 'stock', 'tax', 'voucher'];
const DEEDS = ['adds', 'removes', 'keeps', 'lists', 'refuses', 'writes', 'sends'];
const THINGS = ['an item', 'a parcel', 'an address', 'a refund', 'a receipt', 'a zero amount'];
const FAILURE = `not ok NUMBER - pricing > rounds half a cent up
  ---
  duration_ms: 2.183917
  location: '/home/dev/shop/test/pricing.test.js:41:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly equal:

    1004 !== 1005

  code: 'ERR_ASSERTION'
  name: 'AssertionError'
  expected: 1005
  actual: 1004
  operator: 'strictEqual'
  stack: |-
    TestContext.<anonymous> (file:///home/dev/shop/test/pricing.test.js:42:3)
    Test.runInAsyncScope (node:async_hooks:206:9)
    Test.run (node:internal/test_runner/test:796:25)
  ...`;

/** The full log of \`npm test\` in TAP, with one failure in the middle, or none. */
export function testLog(count, failing) {
  const { roll, pick } = maker(13);
  const failed = Math.floor(count * 0.6);
  const lines = ['', '> shop@4.2.0 test', '> node --test test/', '', 'TAP version 13'];
  for (let number = 1; number <= count; number += 1) {
    const name = `${pick(AREAS)} > ${pick(DEEDS)} ${pick(THINGS)} (case ${number})`;
    const ms = (roll() * 9).toFixed(6);
    if (failing && number === failed) {
      lines.push('# Subtest: pricing > rounds half a cent up');
      lines.push(...FAILURE.replace('NUMBER', String(number)).split('\n'));
    } else {
      lines.push(`# Subtest: ${name}`, `ok ${number} - ${name}`, '  ---');
      lines.push(`  duration_ms: ${ms}`, '  ...');
    }
  }
  lines.push(`1..${count}`, ...testSummary(count, failing ? 1 : 0));
  return lines.join('\n');
}

/** The lines that a test run ends with. */
export const testSummary = (count, failed) => [
  `# tests ${count}`,
  '# suites 0',
  `# pass ${count - failed}`,
  `# fail ${failed}`,
  '# cancelled 0',
  '# skipped 0',
  '# todo 0',
  `# duration_ms ${failed === 0 ? '1489.204118' : '1502.771306'}`,
];

/** A part of the server's log around the order in question. */
export function serverLog(count) {
  const { below, pick } = maker(14);
  const lines = Array.from({ length: count }, (_, index) => {
    const time = `2026-09-01T08:${String(10 + Math.floor(index / 12)).padStart(2, '0')}:${String((index % 12) * 5).padStart(2, '0')}.${String(below(1000)).padStart(3, '0')}Z`;
    if (index === Math.floor(count / 2))
      return `${time} ERROR payments order=A-4471 charged=1004 expected=1005 customer="Zoë Müller" rounding?`;
    const path = pick(['/api/basket', '/api/orders', '/api/stock', '/checkout', '/health']);
    const request = below(2 ** 28)
      .toString(16)
      .padStart(7, '0');
    return `${time} INFO  ${pick(AREAS)} request=${request} ${pick(['GET', 'POST'])} ${path} status=${pick([200, 200, 201, 304, 404])} ms=${below(180)} order=A-${4400 + below(140)}`;
  });
  return lines.join('\n');
}
