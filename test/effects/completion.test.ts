import { describe, expect, it } from 'vitest';
import { completionOf } from '../../src/effects/completion.ts';

type Case = readonly [string, unknown, string, boolean | undefined, string];

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
const RUNNING =
  'Command running in background with ID: bzv6er4q8. Output is being written to: /tmp/x. You will be notified when it completes.';
const CODEX = 'Chunk ID: a\nWall time: 1.0 seconds\n';
const GEMINI =
  'Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output.';
const OPENCODE =
  '<bash_metadata>\nbash tool terminated command after exceeding timeout 120000 ms\n</bash_metadata>';

describe('completionOf', () => {
  const cases: readonly Case[] = [
    // Claude Code
    ['Bash', {}, 'ok', false, 'settled'],
    ['Bash', {}, '', undefined, 'settled'],
    ['Bash', {}, 'Exit code 3\nfailed', true, 'settled'],
    ['Bash', {}, '[Request interrupted by user for tool use]', true, 'unknown'],
    ['Read', {}, REJECTED, true, 'unknown'],
    ['Bash', { run_in_background: true }, RUNNING, false, 'pending'],
    ['Bash', { run_in_background: true }, 'no words', undefined, 'pending'],
    ['Bash', { run_in_background: true }, 'Exit code 1\nno', true, 'settled'],
    ['Bash', { run_in_background: false }, 'ok', false, 'settled'],
    ['Bash', { run_in_background: 'true' }, 'ok', false, 'settled'],
    ['Bash', { run_in_background: true }, REJECTED, true, 'unknown'],
    ['Bash', {}, RUNNING, false, 'pending'],
    ['Bash', {}, `some output\n${RUNNING}\n`, false, 'pending'],
    ['Bash', {}, `some output\n${RUNNING}\nmore`, false, 'settled'],
    ['Read', {}, RUNNING, false, 'settled'],
    ['Bash', {}, 'Command timed out after 2m 0.0s', true, 'unknown'],
    ['Bash', {}, 'Exit code 143\nCommand timed out after 2m 0.0s\n\nout', true, 'unknown'],
    ['Bash', {}, 'Command timed out after 2m 0.0s', false, 'settled'],
    ['Bash', {}, 'a\nCommand timed out after 2m\nb', true, 'settled'],
    ['Read', {}, 'Command timed out after 2m', undefined, 'settled'],
    ['Task', {}, 'Async agent launched successfully.\nagentId: 1', false, 'pending'],
    ['Agent', { run_in_background: true }, 'started', false, 'pending'],
    ['Task', {}, 'Report: Async agent launched successfully.', false, 'settled'],
    ['BashOutput', {}, '<status>running</status>\n\n<stdout>\nx\n</stdout>', false, 'pending'],
    ['BashOutput', {}, '<status>completed</status>\n\n<stdout>\nx\n</stdout>', false, 'settled'],
    [
      'TaskOutput',
      {},
      '<retrieval_status>success</retrieval_status>\n\n<task_id>b</task_id>\n\n<status>running</status>\n\n<output>\nx',
      false,
      'pending',
    ],
    ['TaskOutput', {}, '<retrieval_status>timeout</retrieval_status>', false, 'pending'],
    [
      'TaskOutput',
      {},
      '<retrieval_status>success</retrieval_status>\n\n<status>completed</status>\n\n<output>\n<status>running</status>\n</output>',
      false,
      'settled',
    ],
    ['Read', {}, '<status>running</status>', false, 'settled'],
    // Codex
    ['exec_command', {}, `${CODEX}Process exited with code 0\nOutput:\nok`, undefined, 'settled'],
    [
      'exec_command',
      {},
      `${CODEX}Process running with session ID 7\nOutput:\nok`,
      undefined,
      'pending',
    ],
    [
      'exec_command',
      {},
      `${CODEX}Process exited with code 0\nOutput:\nProcess running with session ID 7`,
      undefined,
      'settled',
    ],
    [
      'shell',
      {},
      'Exit code: 124\nWall time: 10 seconds\nOutput:\ncommand timed out after 10000 milliseconds\nx',
      undefined,
      'unknown',
    ],
    [
      'shell',
      {},
      '{"output":"command timed out after 10000 milliseconds\\n","metadata":{"exit_code":124}}',
      undefined,
      'unknown',
    ],
    [
      'shell',
      {},
      'Exit code: 0\nWall time: 1 seconds\nOutput:\nx\ncommand timed out after 1 s',
      undefined,
      'settled',
    ],
    ['shell', {}, '{"output":"x command timed out after 1"}', undefined, 'settled'],
    ['shell', {}, 'Wall time: 3.1 seconds\naborted by user', undefined, 'unknown'],
    ['exec_command', {}, 'aborted by user after 3.1s', undefined, 'unknown'],
    ['exec_command', {}, 'aborted', undefined, 'unknown'],
    ['exec_command', {}, 'aborted\nx', undefined, 'settled'],
    ['Read', {}, 'aborted', undefined, 'settled'],
    // Gemini CLI
    ['run_shell_command', {}, GEMINI, true, 'unknown'],
    ['run_shell_command', {}, `<untrusted_context>\n${GEMINI}`, true, 'unknown'],
    ['run_shell_command', {}, `Output: ${GEMINI}`, false, 'settled'],
    ['run_shell_command', {}, 'Command moved to background (PID: 7).', false, 'pending'],
    ['run_shell_command', { is_background: true }, 'x', undefined, 'pending'],
    // OpenCode and pi
    ['bash', {}, `out\n\n${OPENCODE}`, false, 'unknown'],
    ['bash', {}, `${OPENCODE}\nout`, false, 'settled'],
    ['bash', {}, '<bash_metadata>\nUser aborted the command\n</bash_metadata>', false, 'unknown'],
    ['bash', {}, '<bash_metadata>\nDescription: x\n</bash_metadata>', false, 'settled'],
    ['read', {}, OPENCODE, false, 'settled'],
    ['bash', {}, 'out\n\nCommand timed out after 10 seconds', true, 'unknown'],
    ['bash', {}, 'out\n\nCommand aborted', true, 'unknown'],
    ['bash', {}, 'Command aborted\nout', true, 'settled'],
    // OneRingAI
    ['grep', {}, 'Tool "grep" is executing asynchronously. Wait.', undefined, 'pending'],
    ['grep', {}, 'Tool "grep" was not found', undefined, 'settled'],
    ['grep', {}, 'see: Tool "grep" is executing asynchronously.', undefined, 'settled'],
    ['grep', {}, 'Tool "x" is said to be "x" is executing asynchronously', undefined, 'settled'],
    ['bash', {}, "PERMISSION DENIED for tool 'bash': no", undefined, 'unknown'],
    ['bash', {}, "log: PERMISSION DENIED for tool 'bash'", undefined, 'settled'],
    // words that a file may hold
    ['Read', {}, `     1\t${REJECTED}`, false, 'settled'],
    ['Read', {}, '     1\t[Request interrupted by user]', false, 'settled'],
    ['Grep', {}, `a.ts:1:${REJECTED}`, false, 'settled'],
  ];
  it.each(cases)('%s %j %j (error: %s) is %s', (tool, args, text, isError, expected) => {
    expect(completionOf({ tool, args }, { text, isError })).toBe(expected);
  });
});
