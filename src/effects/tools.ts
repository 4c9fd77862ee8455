import { argument, type Effect, type KnownEffect, type ToolCall } from './call.ts';
import { commandOf, isShellTool } from './command-of.ts';
import { argvEffect, shellEffect } from './shell.ts';

/**
 * What the clients' own tools do, by exact name and, where it matters, by arguments (masking-and-summary.md 10.2).
 * A tool of an MCP server is never in the table.
 */
export function builtInEffect(call: ToolCall): Effect {
  if (isShellTool(call.tool)) return commandEffect(call);
  const isRead = BY_ARGUMENTS.get(call.tool);
  if (isRead !== undefined) return isRead(call.args) ? 'read' : 'unknown';
  return BY_NAME.get(call.tool) ?? 'unknown';
}

function commandEffect(call: ToolCall): Effect {
  const command = commandOf(call);
  if (command === undefined) return 'unknown';
  return 'script' in command ? shellEffect(command.script) : argvEffect(command.argv);
}

// Only names that mean the same thing in every client known to have them.
const READS: readonly string[] = [
  // Claude Code; BashOutput and TaskOutput count once they are finished, which completionOf tells.
  'Read Grep Glob LS NotebookRead WebFetch WebSearch BashOutput TaskOutput',
  'ListMcpResources ListMcpResourcesTool ReadMcpResource ReadMcpResourceTool',
  // Codex and clients like it
  'read_file list_dir grep_files',
  // Gemini CLI
  'read_many_files list_directory glob search_file_content grep_search web_fetch google_web_search',
  // OpenCode and pi
  'read grep list webfetch find ls',
  // Strands
  'file_read retrieve current_time calculator',
  // OneRingAI
  'list_files search_files search_code web_search web_scrape context_stats store_get store_list',
  'memory_recall memory_search memory_graph memory_find_entity memory_list_facts',
  'bg_process_output bg_process_list pr_files pr_comments get_pr',
].flatMap(namesIn);

const WRITES: readonly string[] = [
  'Edit MultiEdit Write NotebookEdit TodoWrite',
  'apply_patch update_plan',
  'replace write_file save_memory',
  'edit write patch todowrite',
  'file_write edit_file store_set store_delete',
].flatMap(namesIn);

const BY_NAME: ReadonlyMap<string, KnownEffect> = new Map<string, KnownEffect>([
  ...READS.map((tool) => [tool, 'read'] as const),
  ...WRITES.map((tool) => [tool, 'write'] as const),
]);

/** Tools that read with some arguments and do anything else with others. */
const BY_ARGUMENTS: ReadonlyMap<string, (args: unknown) => boolean> = new Map([
  ['http_request', isSafeMethod],
  ['editor', isView],
  ['text_editor', isView],
  ['str_replace_editor', isView],
  ['str_replace_based_edit_tool', isView],
]);

function isSafeMethod(args: unknown): boolean {
  const method = argument(args, 'method');
  return typeof method === 'string' && ['GET', 'HEAD'].includes(method.toUpperCase());
}

function isView(args: unknown): boolean {
  return argument(args, 'command') === 'view';
}

function namesIn(line: string): readonly string[] {
  return line.split(' ');
}
