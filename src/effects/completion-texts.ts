/** What a client writes for a call that did not end. */
export interface Ending {
  /** The tools whose results hold it; absent for every tool. */
  readonly tools?: readonly string[];
  /** The client marks such a result as an error, where it marks errors. */
  readonly failed?: boolean;
  /** The places of a result at which the client writes it. */
  readonly at: (text: string) => readonly string[];
  /** What such a place starts with. */
  readonly texts: readonly string[];
}

const BASH = ['Bash', 'bash'];
const CODEX = ['shell', 'local_shell', 'local_shell_call', 'shell_command', 'exec_command'];

/** Cut off, timed out, refused, or denied: nobody knows what was done. */
export const UNKNOWN: readonly Ending[] = [
  {
    at: start,
    texts: [
      '[Request interrupted by user',
      "The user doesn't want to proceed with this tool use",
      "The user doesn't want to take this action right now",
      '[Tool call interrupted',
      "PERMISSION DENIED for tool '",
      '[Operation Cancelled]',
      'Tool execution aborted',
      '[Tool execution was interrupted',
    ],
  },
  // Claude Code writes it first or below the exit code, pi below the output.
  { tools: BASH, failed: true, at: edges, texts: ['Command timed out after '] },
  { tools: BASH, failed: true, at: lastLine, texts: ['Command aborted'] },
  // OpenCode, in a tag of its own at the end; the tool's name comes first.
  {
    tools: BASH,
    at: metadata,
    texts: [
      'bash tool terminated command after exceeding timeout',
      'shell tool terminated command after exceeding timeout',
      'User aborted the command',
    ],
  },
  { tools: CODEX, at: codexOutput, texts: ['command timed out after ', 'aborted by user'] },
  { tools: [...CODEX, 'apply_patch', 'write_stdin'], at: wholeLine, texts: ['aborted\n'] },
  {
    tools: ['run_shell_command'],
    at: start,
    texts: [
      'Command was automatically cancelled because it exceeded the timeout of ',
      'Command was cancelled by user before it could complete',
      'Command was cancelled.',
    ],
  },
];

/** Still at work when the result was written. */
export const PENDING: readonly Ending[] = [
  {
    tools: ['Bash'],
    at: edges,
    texts: [
      'Command running in background with ID: ',
      'Command was manually backgrounded by user with ID: ',
    ],
  },
  { tools: ['Task', 'Agent'], at: start, texts: ['Async agent launched successfully'] },
  {
    tools: ['BashOutput', 'TaskOutput'],
    at: header,
    texts: [
      '<status>running</status>',
      '<status>pending</status>',
      '<retrieval_status>timeout<',
      '<retrieval_status>not_ready<',
    ],
  },
  {
    tools: ['exec_command', 'write_stdin'],
    at: codexHeader,
    texts: ['Process running with session ID '],
  },
  { tools: ['run_shell_command'], at: start, texts: ['Command moved to background (PID: '] },
  // OneRingAI: Tool "NAME" is executing asynchronously.
  { at: afterToolName, texts: ['" is executing asynchronously'] },
];

// Gemini CLI wraps results of some tools.
const WRAPPER = '<untrusted_context>\n';

function start(text: string): readonly string[] {
  return [text.startsWith(WRAPPER) ? text.slice(WRAPPER.length) : text];
}

function wholeLine(text: string): readonly string[] {
  return [`${text}\n`].filter((line) => line.indexOf('\n') === text.length);
}

function lastLine(text: string): readonly string[] {
  return text.trimEnd().split('\n').slice(-1);
}

/** The first line, the one below an exit code, and the last. */
function edges(text: string): readonly string[] {
  const [first = '', second = ''] = text.split('\n', 2);
  const isCode = first.startsWith('Exit code ') || first.startsWith('Error: Exit code ');
  return [first, ...(isCode ? [second] : []), ...lastLine(text)];
}

/** Lines of the tag that OpenCode ends a shell result with. */
function metadata(text: string): readonly string[] {
  const lines = text.trimEnd().split('\n');
  const tag = /^<\/(bash_metadata|shell_metadata)>$/.exec(lines.at(-1) ?? '')?.[1];
  return tag === undefined ? [] : lines.slice(lines.lastIndexOf(`<${tag}>`) + 1, -1);
}

/** Lines that Claude Code puts before a background task's output. */
function header(text: string): readonly string[] {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => line !== '' && !/^<(?!output>|stdout>|stderr>)/.test(line));
  return end < 0 ? lines : lines.slice(0, end);
}

const CODEX_OUTPUT = 'Output:';

/** Lines that Codex puts before a command's output. */
function codexHeader(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.slice(0, Math.max(lines.indexOf(CODEX_OUTPUT), 0));
}

/** The start of what Codex gives as output: bare, below its header, or in its JSON. */
function codexOutput(text: string): readonly string[] {
  const json = '{"output":"';
  if (text.startsWith(json)) return [text.slice(json.length)];
  const lines = text.split('\n');
  const isHeader = /^(?:Chunk ID|Exit code|Wall time): /.test(lines[0] ?? '');
  if (!isHeader) return [text];
  const at = lines.indexOf(CODEX_OUTPUT);
  return [lines[1] ?? '', ...(at < 0 ? [] : [lines[at + 1] ?? ''])];
}

function afterToolName(text: string): readonly string[] {
  const open = 'Tool "';
  const close = text.indexOf('"', open.length);
  return text.startsWith(open) && close > 0 ? [text.slice(close)] : [];
}
