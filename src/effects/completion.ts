import { argument, type ToolCall } from './call.ts';
import { type Ending, PENDING, UNKNOWN } from './completion-texts.ts';

/** Whether a call came to its end; `unknown` when it may have been cut off before, or never ran. */
export type Completion = 'settled' | 'pending' | 'unknown';

/** A result as completion sees it; no error flag where the format has none. */
export interface ToolResult {
  readonly text: string;
  readonly isError?: boolean | undefined;
}

/**
 * Whether a call with a result came to its end (masking-and-summary.md 10.3), by its arguments and by what clients
 * write in place of a result. Their words count only where the client puts them: a file may hold the same words.
 */
export function completionOf(call: ToolCall, result: ToolResult): Completion {
  const says = (ending: Ending): boolean => isSaid(ending, call.tool, result);
  if (UNKNOWN.some(says)) return 'unknown';
  if (runsOn(call) && result.isError !== true) return 'pending';
  return PENDING.some(says) ? 'pending' : 'settled';
}

/** The tools that go on after their result when asked to, and the argument that asks. */
const BACKGROUND: ReadonlyMap<string, string> = new Map([
  ['Bash', 'run_in_background'],
  ['Task', 'run_in_background'],
  ['Agent', 'run_in_background'],
  ['run_shell_command', 'is_background'],
]);

function runsOn(call: ToolCall): boolean {
  const name = BACKGROUND.get(call.tool);
  return name !== undefined && argument(call.args, name) === true;
}

function isSaid(ending: Ending, tool: string, result: ToolResult): boolean {
  if (ending.tools !== undefined && !ending.tools.includes(tool)) return false;
  // A command that succeeded printed the words itself.
  if (ending.failed === true && result.isError === false) return false;
  return ending.at(result.text).some((place) => ending.texts.some((it) => place.startsWith(it)));
}
