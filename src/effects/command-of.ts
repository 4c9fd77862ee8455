import { argument, type ToolCall } from './call.ts';

/** What a shell tool was asked to run: text for a shell, or a program with its arguments. */
export type ShellCommand = { readonly script: string } | { readonly argv: readonly string[] };

/** Whether a tool hands its arguments to a shell, in every client known to have the name. */
export function isShellTool(tool: string): boolean {
  return READERS.has(tool);
}

/** What a call of a shell tool runs; undefined for other tools, and where that is not certain. */
export function commandOf(call: ToolCall): ShellCommand | undefined {
  return READERS.get(call.tool)?.(call.args);
}

const READERS: ReadonlyMap<string, (args: unknown) => ShellCommand | undefined> = new Map([
  ['Bash', textIn('command')],
  ['bash', textIn('command')],
  ['run_shell_command', textIn('command')],
  ['shell_command', textIn('command')],
  ['exec_command', textIn('cmd')],
  ['shell', textOrArgv],
  ['local_shell', localShell],
  ['local_shell_call', localShell],
]);

// What unbash parses holds for these; another shell reads the same text in its own way.
const SHELLS: readonly unknown[] = [
  undefined,
  null,
  'bash',
  'sh',
  'zsh',
  '/bin/bash',
  '/bin/sh',
  '/bin/zsh',
  '/usr/bin/bash',
  '/usr/bin/zsh',
];

function textIn(name: string): (args: unknown) => ShellCommand | undefined {
  return (args) => {
    const script = argument(args, name);
    if (typeof script !== 'string' || !SHELLS.includes(argument(args, 'shell'))) return undefined;
    return { script };
  };
}

/** `shell` is Codex's, with one program's arguments, and Strands', with text or a list of commands. */
function textOrArgv(args: unknown): ShellCommand | undefined {
  const argv = strings(argument(args, 'command'));
  if (argv === undefined) return textIn('command')(args);
  const script = scriptIn(argv);
  if (script !== undefined) return { script };
  // No command of a list starts with a dash, and only Codex gives these fields.
  const isArgv =
    argv.some((word) => word.startsWith('-')) ||
    ['workdir', 'timeout_ms'].some((name) => argument(args, name) !== undefined);
  return isArgv ? { argv } : undefined;
}

/** The Responses API's local shell: always a program's arguments, in the action or beside it. */
function localShell(args: unknown): ShellCommand | undefined {
  const action = argument(args, 'action') ?? args;
  const argv = strings(argument(action, 'command'));
  // A variable can select a pager, a configuration or a preloaded library.
  const hasVariables = Object.keys(argument(action, 'env') ?? {}).length > 0;
  if (argv === undefined || hasVariables) return undefined;
  const script = scriptIn(argv);
  return script === undefined ? { argv } : { script };
}

/** The text in `["bash", "-lc", "…"]`. */
function scriptIn(argv: readonly string[]): string | undefined {
  const [program, option, script, ...more] = argv;
  if (more.length > 0 || !SHELLS.includes(program) || (option !== '-lc' && option !== '-c'))
    return undefined;
  return script;
}

function strings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((word) => typeof word === 'string')
    ? value
    : undefined;
}
