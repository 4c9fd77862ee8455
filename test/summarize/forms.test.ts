import { describe, expect, test } from 'vitest';
import { looksLikeCode } from '../../src/summarize/code.ts';
import { entitiesOf } from '../../src/summarize/entities.ts';
import { noiseOf } from '../../src/summarize/noise.ts';
import { proseOf } from '../../src/summarize/prose.ts';
import { formOf, kinOf } from '../../src/summarize/shape.ts';

describe('source code', () => {
  test.each([
    'catch (error) {',
    '} catch (error) {',
    'except Error:',
    'except (ValueError, KeyError) as error:',
    'raise ValueError("too big: %d" % total)',
    "throw new Error('no such file');",
    'if err != nil {',
    'return err',
    'def fn_0_1(a, b=1):',
    'total = a * b + 0',
    "import { errorOf } from './errors.ts';",
    'from errors import ParseError',
    'const failed = items.filter((item) => item.error);',
    'console.error("fatal: %s", reason);',
    "name: 'error',",
    'src/load.ts:12:  throw new LoadError(path);',
    '// error: this cannot happen',
  ])('is %s', (line) => {
    expect(looksLikeCode(line)).toBe(true);
  });

  test.each([
    'ValueError: too big: 12',
    "parser.c:12:8: error: expected ';' before '}'",
    'E       assert 3 == 4',
    '{"level":"error","msg":"write failed"}',
    'let me look at the loader',
    'export written to ./out/8/report.html',
    'return code 3',
    'If it fails, use the mirror instead',
    'rename alpha.go => beta.go',
    'max_connections=4959',
    'port = 8443',
  ])('is not %s', (line) => {
    expect(looksLikeCode(line)).toBe(false);
  });
});

describe('noise', () => {
  test.each([
    ['', 'worthless'],
    ['-----------', 'worthless'],
    ['}', 'worthless'],
    ['QUJD'.repeat(40), 'worthless'],
    ['00000010: 8950 4e47 0d0a 1a0a', 'worthless'],
    ['\0\u0001\u0002\u0003ab', 'worthless'],
    ['Chunk ID: cd479b', 'worthless'],
    [`"integrity":"sha512-${'Zk9+'.repeat(20)}=="`, 'worthless'],
    ['254 64516 0xfc04', 'listing'],
    ['drwxr-xr-x 4 root root 4096 Nov 30 23:19 .', 'listing'],
    ['test 12 ok', 'progress'],
    ['Downloading left-pad 34%', 'progress'],
    ['  at load (src/load.ts:12:5)', 'frame'],
    ['2026-01-01 INFO cache warm', 'info'],
    ['ts=1 lvl=info msg=warm', 'info'],
  ])('%j is %s', (line, kind) => {
    expect(noiseOf(line)).toBe(kind);
  });

  test.each([
    'Decision: keep the queue',
    '3f9a1c7b2d043f9a1c7b2d043f9a1c7b2d04aaaa',
    'port = 8443',
    'Das Modul bleibt, wie es ist.',
    'すべてのテストを実行する',
  ])('%s is none', (line) => {
    expect(noiseOf(line)).toBeUndefined();
  });
});

test.each([
  ['request_id=1b4e28ba-2fa1-41d2-883f-0016d3cca427', 'ids'],
  ['[main 3f9a1c7] add relay', 'ids'],
  ['Tracked as OPS-4412', 'ids'],
  ['https://tracker.example.com/issues/4', 'ids'],
  ['installed relay-sdk v1.4.20', 'ids'],
  ['the outage is QRT20417', 'ids'],
  ['listed as KX-99A41B', 'ids'],
  ['the vendor opened case 00718823', 'ids'],
  ['job_1712000000000_0042 was queued', 'ids'],
  ['/srv/relay/config/prod.yaml', 'paths'],
  ['Wrote src/load/file.ts', 'paths'],
  ['C:\\data\\relay.ini', 'paths'],
  ['p99 latency = 431 ms', 'figures'],
  ['max_connections=4959', 'figures'],
  ['coverage 81.4%', 'figures'],
] as const)('%s names %s', (line, kind) => {
  expect(entitiesOf(line)[kind]).toBeGreaterThan(0);
});

test.each(['hashed with SHA256', 'as ISO8601 says', 'the order of things', 'in case it rains'])(
  '%s names no id',
  (line) => {
    expect(entitiesOf(line).ids).toBe(0);
  },
);

test('plain words name nothing', () => {
  expect(entitiesOf('the quick brown fox jumps over it')).toEqual({ ids: 0, paths: 0, figures: 0 });
});

test.each([
  ['Do not touch README.md.', 'rule'],
  ['Root cause: the lock was taken twice.', 'decision'],
  ['TODO: backfill the ledger', 'open'],
  ['Added the loader.', 'done'],
])('%s is a %s', (line, kind) => {
  expect(proseOf(line, true)).toBe(kind);
});

test('a family is the first words, a layout the punctuation', () => {
  expect(kinOf('12:01:07 INFO [web-1] took 3 ms')).toBe(kinOf('12:01:09 INFO [web-2] took 5 s'));
  expect(kinOf('12:01:07 INFO ready')).not.toBe(kinOf('12:01:07 ERROR ready'));
  expect(kinOf('/srv/a/b.yaml')).toBe(kinOf('/srv/c/d.yaml'));
  expect(formOf('ssh  22/tcp  # login')).toBe(formOf('telnet\t23/tcp\t# other'));
});
