import { describe, expect, test } from 'vitest';
import { extractive } from '../../src/summarize/extractive.ts';
import type { SummaryItem } from '../../src/summarize/summarizer.ts';

const count = (text: string): number => Math.ceil(text.length / 4);

function at15(items: readonly SummaryItem[]): string[] {
  const total = count(items.map((item) => item.text).join('\n'));
  return extractive.summarize({ items, maxTokens: Math.ceil(total * 0.15), count }).split('\n');
}

/** The summary of one result into which a text was put. */
function kept(lines: readonly string[], put: string, where = 0.4): string[] {
  const text = lines.toSpliced(Math.floor(lines.length * where), 0, put).join('\n');
  return at15([{ role: 'user', kind: 'toolResult', text }]);
}

const times = (length: number, line: (at: number) => string): string[] =>
  Array.from({ length }, (_, at) => line(at));

const cycle = (list: readonly string[], at: number): string => list[at % list.length] ?? '';

const NAMES = ['billing', 'search', 'mail', 'login', 'export', 'upload', 'audit'];

const LOGS: Readonly<Record<string, (at: number) => string>> = {
  plain: (at) =>
    `2026-04-01 10:${at % 60}:07,${100 + at} INFO [req-${at * 7919}] ${cycle(NAMES, at)}: handled GET /v2/${cycle(NAMES, at + 3)}/${at} in ${at % 80} ms`,
  syslog: (at) =>
    `Apr  1 10:${at % 60}:07 host${at % 4} ${cycle(NAMES, at)}[${900 + at}]: session opened for user svc-${at}`,
  logfmt: (at) =>
    `ts=2026-04-01T10:${at % 60}:07Z lvl=info req=${(at * 7919).toString(16)} msg="done" path=/${cycle(NAMES, at)}/${cycle(NAMES, at + 2)} err=nil`,
  json: (at) =>
    `{"ts":"2026-04-01T10:${at % 60}:07Z","level":"info","svc":"${cycle(NAMES, at)}","msg":"request done","ms":${at % 90}}`,
};

describe('a line of a log that is like no other', () => {
  test.each([
    [
      'plain',
      '2026-04-01 10:31:09,412 INFO [req-4410021] audit: snapshot kept at /mnt/cold/aud/q2.snap',
    ],
    ['syslog', 'Apr  1 10:31:09 host2 kernel[0]: new disk serial WX41A99K2 on port 3'],
    [
      'logfmt',
      'ts=2026-04-01T10:31:09Z lvl=info req=77ab01 msg="using rules of /etc/relay/rules.d/eu.rules"',
    ],
    [
      'json',
      '{"ts":"2026-04-01T10:31:09Z","level":"info","svc":"mail","msg":"bounce list moved to /srv/mail/bounce/2026.lst"}',
    ],
  ])('%s', (log, line) => {
    for (const size of [12, 40, 400]) {
      expect(kept(times(size, LOGS[log] as (at: number) => string), line)).toContain(line);
    }
  });

  test('even if each of the others has a field with error in its name', () => {
    const rows = times(
      60,
      (at) => `batch=${at} rows=${at * 31} error=- retries=0 table=${cycle(NAMES, at)}`,
    );
    const line = 'checkpoint of all tables written to /data/ckpt/000412';
    expect(kept(rows, line)).toContain(line);
  });
});

const SOURCE = times(90, (at) =>
  cycle(
    [
      `  const ${cycle(NAMES, at)}${at} = await load(${cycle(NAMES, at + 1)}, options);`,
      `  if (${cycle(NAMES, at)}.size > limit) {`,
      `    return ${cycle(NAMES, at + 2)}.map((row) => row.value);`,
      '  }',
      '  // loop over the rows',
    ],
    at,
  ),
);

test.each([
  '  // The table comes from ops/shapes/zones-2026.csv.',
  '  // Ported from github.com/acme/relay, commit 9f3c2d1.',
  '  /* Measured: 412 ms for 10000 rows on the old disk. */',
  '  // Workaround for LIBX-2291',
  '  // Agreed: the caller owns the retries.',
  '  const limit = 40; // see docs/limits/quota.md',
])('a fact in a comment of source code: %s', (line) => {
  expect(kept(SOURCE, line)).toContain(line);
});

const DOCUMENT = times(50, (at) =>
  cycle(
    [
      `The ${cycle(NAMES, at)} service talks to the ${cycle(NAMES, at + 2)} service over the internal bus.`,
      '',
      `## More about ${cycle(NAMES, at)}`,
      'Operators see the state of it on the usual page and may reload it there.',
    ],
    at,
  ),
);

test.each([
  'The outage of March is described in QRT20417 and nowhere else.',
  'Refunds above the limit go through account 88-4120-7 by hand.',
  'The vendor opened case 00718823 for it.',
  'Every device is listed under asset KX-99A41B in the inventory.',
  'The timeout was chosen over a retry after the trial in May.',
  'Status: accepted',
  'It was agreed that the mirror stays read only.',
  'We settled that exports run at night.',
])('an id or a decision in the prose of a document: %s', (line) => {
  expect(kept(DOCUMENT, line)).toContain(line);
});

test.each([
  ['--- FAIL: TestQuota (0.02s)\n    quota_test.go:88: got 5 seats for acme, want 6', 1],
  ["thread 'main' panicked at src/pool.rs:41:9:\nseat 12 was given away twice", 1],
  ['● pool › gives each seat once\n\n  Expected: 12\n  Received: 13', 3],
  ['ERROR: deploy stopped:\n  replica eu-3 still drains', 1],
  [
    'ERROR:  insert or update on table "seats" violates foreign key constraint\nDETAIL:  Key (team)=(44) is not present',
    1,
  ],
])('what stands below the line that announces a failure: %s', (report, at) => {
  const passes = times(60, (at) => `--- PASS: Test_${cycle(NAMES, at)}_${at} (0.0${at % 9}s)`);
  expect(kept(passes, report)).toContain(report.split('\n')[at]);
});

test.each([
  'sqlite was chosen over postgres for the cache.',
  'Agreed: one writer per shard.',
  'Status: accepted.',
  'We settled that the importer runs before the sweep.',
  'The second design was rejected.',
])('a decision in a run of talk: %s', (line) => {
  const talk = times(60, (at) =>
    cycle(
      [
        'Let me look at the next file.',
        `Now the ${cycle(NAMES, at)} module ${at}.`,
        `Reading part ${at}.`,
      ],
      at,
    ),
  );
  const items = talk.toSpliced(25, 0, line).flatMap((text, at): SummaryItem[] => [
    { role: 'assistant', kind: 'text', text },
    { role: 'assistant', kind: 'toolCall', text: `{"file_path":"/srv/app/src/part${at}.ts"}` },
    { role: 'user', kind: 'toolResult', text: `read ${at} lines` },
  ]);
  expect(at15(items)).toContain(line);
});
