// The story that every sample tells: a shop charges one cent too little; an agent finds out why and fixes it.
import { MONEY, pricingModule, serverLog, testLog, testSummary } from './outputs.mjs';

export const FOLDER = '/home/dev/shop';

export const SYSTEM =
  'You are a careful engineer who works on a small web shop in /home/dev/shop. Amounts are whole cents. Run the tests before and after a change. Never edit files under vendor/.';

/** A picture of the receipt (96 x 64, one bit a pixel). */
export const RECEIPT = [
  'iVBORw0KGgoAAAANSUhEUgAAAGAAAABAAQAAAADNT0+jAAAAcElEQVR42mP4jwQYyOUcOHPgMHbO+TNnzmDnHDhw5j',
  'B2zp8zZ85j5wCNxsGhzAsHGECA//8B5uFuGm5OKBxQ3WhB6fqNH+VF7cGcrVvrTb/Wl8ZDOBvrt36VN4XLbP16Hyqz',
  'cau84EZ5wXga+JSaHABvXcOeEf7b/QAAAABJRU5ErkJggg==',
].join('');

/**
 * One conversation as data. A turn is what the person says (`user`) or one reply of the agent: what it
 * thinks, says and calls. A call is `run` (a command), `read` (a file) or `edit`, with what came back.
 * @param {number} tests how many tests the shop has: it sets the size of the test log
 */
export function story(tests) {
  const passed = testLog(tests, false).split('\n').slice(-40).join('\n');
  return [
    {
      user: 'Order A-4471 was charged 10.04 EUR instead of 10.05 EUR. Please find the bug and fix it. Do not change the public API of src/pricing.js, and keep all amounts in whole cents.',
    },
    {
      think:
        'The totals come from src/pricing.js. I should see what the tests say first, and keep the whole log, because the summary alone will not name the case.',
      say: 'I will run the tests first and keep the full log.',
      calls: [
        {
          run: 'npm test > logs/test.log 2>&1; tail -n 8 logs/test.log',
          what: 'Run the tests, keep the log',
          output: testSummary(tests, 1).join('\n'),
          ms: 1734,
        },
      ],
    },
    {
      say: `One of ${tests} tests fails. I will read the log.`,
      calls: [{ read: 'logs/test.log', output: testLog(tests, true), ms: 12 }],
    },
    {
      think:
        'The failing test is "pricing > rounds half a cent up": 1004 instead of 1005, the same cent as in order A-4471. Read the prices and the money helpers side by side.',
      say: 'The failing test is about rounding: 1004 instead of 1005. Now the modules that calculate it.',
      calls: [
        { read: 'src/pricing.js', output: pricingModule(), ms: 9 },
        { read: 'src/money.js', output: MONEY, ms: 8 },
      ],
    },
    {
      say: 'toCents() in src/money.js rounds down with Math.floor, so half a cent is lost. Let me check that the order in question took this path.',
      calls: [
        {
          run: "sed -n '/08:10:/,/08:14:/p' logs/server.log",
          what: 'Show the server log around the order',
          output: serverLog(56),
          ms: 21,
        },
      ],
    },
    {
      pinned: true,
      say: 'It did: charged=1004 expected=1005. Decision: round half up in toCents() only, because every total goes through it, and leave the public functions as they are. First the one test alone.',
      calls: [
        {
          run: 'node --test test/pricing.tests.js',
          what: 'Run the test of the pricing module',
          output: `Could not find '${FOLDER}/test/pricing.tests.js'`,
          exit: 1,
          ms: 88,
        },
      ],
    },
    {
      say: 'A typing error in the file name. I have seen it fail already, so I make the change.',
      calls: [
        {
          edit: 'src/money.js',
          from: '  return Math.floor(amount);',
          to: '  return Math.round(amount);',
          file: MONEY,
          ms: 15,
        },
      ],
    },
    {
      say: 'Now all tests again.',
      calls: [
        {
          run: 'npm test 2>&1 | tail -n 40',
          what: 'Run all tests',
          output: passed,
          ms: 1698,
        },
      ],
    },
    {
      say: `Fixed. toCents() in src/money.js rounded down; it now rounds half up, so A-4471 comes to 10.05 EUR. All ${tests} tests pass and the public API is unchanged.`,
    },
    {
      user: 'Thank you, the receipt now prints 10.05 EUR. Please add a line to CHANGELOG.md.',
      picture: true,
    },
    {
      say: 'I will put it under Fixed.',
      calls: [
        {
          run: "sed -i '5i - Totals are rounded half up to whole cents (order A-4471).' CHANGELOG.md && head -n 7 CHANGELOG.md",
          what: 'Add the line and show it',
          output:
            '# Changelog\n\n## Unreleased\n### Fixed\n- Totals are rounded half up to whole cents (order A-4471).\n- The basket keeps its items after a new login.\n',
          ms: 11,
        },
      ],
    },
    {
      say: 'Done: the changelog has the line under Unreleased, Fixed.',
    },
  ];
}

/** What a tool answers, as plain text. */
export function answer(call) {
  if (call.edit) return `The file ${FOLDER}/${call.edit} has been updated successfully.`;
  return call.output;
}
