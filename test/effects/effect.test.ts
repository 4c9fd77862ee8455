import { describe, expect, it } from 'vitest';
import { type EffectRules, NO_RULES, type ToolCall } from '../../src/effects/call.ts';
import { effectOf } from '../../src/effects/effect.ts';
import { parseEffectFlag, parseObserve } from '../../src/effects/rules.ts';

const READS =
  'Read Grep Glob LS NotebookRead WebFetch WebSearch ListMcpResourcesTool ReadMcpResource BashOutput TaskOutput ' +
  'read_file list_dir grep_files read_many_files list_directory glob search_file_content grep_search web_fetch ' +
  'google_web_search read grep list webfetch find ls file_read retrieve current_time calculator list_files ' +
  'search_code web_scrape context_stats store_get memory_recall memory_list_facts bg_process_list pr_files get_pr';
const WRITES =
  'Edit MultiEdit Write NotebookEdit TodoWrite apply_patch replace write_file save_memory edit write patch ' +
  'todowrite file_write edit_file store_set store_delete';
const UNKNOWN =
  'Task Agent Skill KillShell ExitPlanMode AskUserQuestion write_stdin view_image memory python_repl use_aws ' +
  'environment todo_add send_mail create_issue custom_tool_x get_weather read_mail list_users web_search_call ' +
  'file_search_call code_interpreter mcp__fs__read_file mcp__fs__Read retrieve_context NoSuchTool invalid ' +
  'READ toString constructor __proto__';

describe('the built-in table', () => {
  it.each(READS.split(' '))('%s reads', (tool) => {
    expect(effectOf({ tool, args: {} }, NO_RULES)).toEqual({ effect: 'read', by: 'built-in' });
  });
  it.each(WRITES.split(' '))('%s writes', (tool) => {
    expect(effectOf({ tool, args: {} }, NO_RULES)).toEqual({ effect: 'write', by: 'built-in' });
  });
  it.each([...UNKNOWN.split(' '), ''])('%s is unknown', (tool) => {
    expect(effectOf({ tool, args: {} }, NO_RULES)).toEqual({ effect: 'unknown', by: 'none' });
  });

  const byArguments: readonly (readonly [string, unknown, string])[] = [
    ['http_request', { method: 'GET', url: 'x' }, 'read'],
    ['http_request', { method: 'head' }, 'read'],
    ['http_request', { method: 'POST' }, 'unknown'],
    ['http_request', { url: 'x' }, 'unknown'],
    ['http_request', 'GET', 'unknown'],
    ['editor', { command: 'view', path: 'x' }, 'read'],
    ['editor', { command: 'create', path: 'x' }, 'unknown'],
    ['str_replace_based_edit_tool', { command: 'view' }, 'read'],
    ['str_replace_based_edit_tool', { command: 'str_replace' }, 'unknown'],
    ['text_editor', { command: 'view' }, 'read'],
    ['text_editor', {}, 'unknown'],
    ['Bash', { command: 'git diff | head' }, 'read'],
    ['Bash', { command: 'git diff > x' }, 'unknown'],
    ['Bash', { cmd: 'ls' }, 'unknown'],
    ['Bash', 'ls', 'unknown'],
    ['Bash', null, 'unknown'],
    ['Bash', { command: ['ls', '-la'] }, 'unknown'],
    ['bash', { command: 'ls' }, 'read'],
    ['run_shell_command', { command: 'cat x' }, 'read'],
    ['run_shell_command', { command: 'cat x > y' }, 'unknown'],
    ['shell_command', { command: 'ls' }, 'read'],
    ['exec_command', { cmd: 'ls; cat x' }, 'read'],
    ['exec_command', { cmd: 'ls', shell: '/bin/zsh' }, 'read'],
    ['exec_command', { cmd: 'ls', shell: 'python3' }, 'unknown'],
    ['exec_command', { cmd: 'ls; rm x' }, 'unknown'],
    ['exec_command', { command: 'ls' }, 'unknown'],
    ['shell', { command: 'ls' }, 'read'],
    ['shell', { command: ['bash', '-lc', 'ls | head'] }, 'read'],
    ['shell', { command: ['bash', '-lc', 'ls | tee x'] }, 'unknown'],
    ['shell', { command: ['bash', '-lc', 'ls', 'x'] }, 'unknown'],
    ['shell', { command: ['bash', '-i', 'ls'] }, 'unknown'],
    ['shell', { command: ['python', '-c', 'ls'] }, 'unknown'],
    ['shell', { command: ['ls', '-la'] }, 'read'],
    ['shell', { command: ['cat', 'x'], workdir: '/' }, 'read'],
    // Strands would run the second word
    ['shell', { command: ['cat x', 'rm x'] }, 'unknown'],
    ['shell', { command: ['ls', 'reboot'] }, 'unknown'],
    ['shell', { command: [{ command: 'ls' }] }, 'unknown'],
    ['local_shell', { command: ['cat', 'x'] }, 'read'],
    ['local_shell', { command: ['cat', 'x'], env: {} }, 'read'],
    ['local_shell', { command: ['cat', 'x'], env: { LD_PRELOAD: 'x' } }, 'unknown'],
    ['local_shell', { command: 'cat x' }, 'unknown'],
    ['local_shell_call', { action: { command: ['bash', '-lc', 'ls'] } }, 'read'],
    ['local_shell_call', { action: { command: ['rm', 'x'] } }, 'unknown'],
  ];
  it.each(byArguments)('%s %j is %s', (tool, args, effect) => {
    expect(effectOf({ tool, args }, NO_RULES).effect).toBe(effect);
  });
});

describe('precedence', () => {
  const call: ToolCall = { tool: 'Bash', args: { command: 'npm test' } };
  const observed = [parseObserve('Bash:npm test')];
  const manifest = new Map([['Bash', 'write' as const]]);
  const rules = (more: Partial<EffectRules>): EffectRules => ({ ...NO_RULES, ...more });

  it('takes the user, an observation, the manifest and the table in this order', () => {
    const effects = [parseEffectFlag('Bash=write')];
    expect(effectOf(call, { effects, observed, manifest })).toEqual({
      effect: 'write',
      by: 'user',
    });
    expect(effectOf(call, rules({ observed, manifest }))).toEqual({
      effect: 'read',
      by: 'observed',
    });
    expect(effectOf(call, rules({ manifest }))).toEqual({ effect: 'write', by: 'manifest' });
    const read = { tool: 'Read', args: {} };
    const claimed = new Map([['Read', 'write' as const]]);
    expect(effectOf(read, rules({ manifest: claimed }))).toEqual({
      effect: 'write',
      by: 'manifest',
    });
  });

  it('takes the last of two flags for one tool', () => {
    const effects = [parseEffectFlag('Bash=write'), parseEffectFlag('Bash=read')];
    expect(effectOf(call, rules({ effects }))).toEqual({ effect: 'read', by: 'user' });
  });

  it('keeps to the exact name', () => {
    const effects = [parseEffectFlag('bash=read'), parseEffectFlag('Bas=read')];
    expect(effectOf(call, rules({ effects })).by).toBe('none');
  });

  it.each([
    ['mcp__fs__stat', 'read'],
    ['mcp__my-server__stat', 'read'],
    ['stat', 'read'],
    ['mcp__fs__stat__x', 'unknown'],
    ['mcp__fs__x__stat', 'unknown'],
    ['mcp____stat', 'unknown'],
    ['xmcp__fs__stat', 'unknown'],
    ['mcp__fs__sta', 'unknown'],
  ])('a manifest that lists stat makes %s %s', (tool, effect) => {
    const listed = rules({ manifest: new Map([['stat', 'read' as const]]) });
    expect(effectOf({ tool, args: {} }, listed).effect).toBe(effect);
  });

  it('takes an MCP tool by its full name before its plain one', () => {
    const manifest = new Map([
      ['stat', 'read' as const],
      ['mcp__fs__stat', 'write' as const],
    ]);
    expect(effectOf({ tool: 'mcp__fs__stat', args: {} }, rules({ manifest })).effect).toBe('write');
  });

  it('does not take a flag for the plain name of an MCP tool', () => {
    const effects = [parseEffectFlag('stat=read')];
    expect(effectOf({ tool: 'mcp__fs__stat', args: {} }, rules({ effects })).by).toBe('none');
  });
});
