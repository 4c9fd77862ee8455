import { expect, test } from 'vitest';
import { errorOf } from '../../src/summarize/errors.ts';

const REPORTS: readonly string[] = [
  'Error: assertion failed at test 201',
  'ERROR billing: connection refused to db-7.internal:5432',
  "TypeError: Cannot read properties of undefined (reading 'id')",
  'sqlite3.OperationalError: database is locked',
  'java.lang.IllegalStateException: pool 3 already closed',
  'panic: runtime error: index out of range [5] with length 3',
  "thread 'main' panicked at src/main.rs:42:5:",
  'FAILED tests/test_upload.py::test_retry - AssertionError: assert 3 == 4',
  'E       assert 3 == 4',
  'src/load/file.ts:12:5 - error TS2322: Type is wrong.',
  "parser.c:12:8: error: use of undeclared identifier 'buf'",
  'error[E0308]: mismatched types',
  'fatal: refusing to merge unrelated histories',
  'npm ERR! code ERESOLVE',
  'make: *** [Makefile:12: all] Error: 2 jobs failed',
  'cat: missing.txt: No such file or directory',
  'bash: line 3: kubectll: command not found',
  '--- FAIL: TestUpload (0.03s)',
  'not ok 12 - rejects old tokens',
  '{"level":"error","msg":"write failed"}',
  'HTTP/1.1 502 Bad Gateway',
  'unsupported call: NoSuchTool',
  '<tool_use_error>Error: No such tool available: NoSuchTool</tool_use_error>',
];

const DECOYS: readonly string[] = [
  '0 errors, 0 warnings',
  'Found 0 errors in 214 files',
  'finished with no errors',
  'Completed without error',
  'errors: 0',
  '12 passed, 0 failed in 3 s',
  '{"error":null,"ok":true}',
  '{"id":7,"errors":[]}',
  'GET /a status=200 err=nil',
  'rows=12 error=- took=3',
  'src/errors.ts',
  'lib/error/handler.ts',
  '-rw-r--r-- 1 root root 48 Nov 30 23:19 error.log',
  'This chapter is about error handling.',
  'The parser handles errors by skipping a line.',
  'test 12 ok',
  'Listening on port 8080',
];

test.each(REPORTS)('an error: %s', (line) => {
  expect(errorOf(line)).toBe('strong');
});

test.each(DECOYS)('no error: %s', (line) => {
  expect(errorOf(line)).toBeUndefined();
});

test.each([
  ['Exit code 3', 'exit'],
  ['Process exited with code 1', 'exit'],
  ['exit_code=137', 'exit'],
  ['Process exited with code 0', 'exit-ok'],
  ['one test is still failing', 'weak'],
])('%s is %s', (line, kind) => {
  expect(errorOf(line)).toBe(kind);
});
