import { compactJson } from '../json/compact.ts';
import { argument, type ToolCall } from './call.ts';

/** What a call of a known file tool does to a file. */
export interface FileUse {
  readonly path: string;
  /** `write` replaces the whole file, `edit` a part of it. */
  readonly action: 'read' | 'write' | 'edit';
  /** Which part was read, as the arguments say it; '' for the whole file. */
  readonly range: string;
}

type Action = FileUse['action'];

/** File tools of the known clients that do one thing. */
const TOOLS: ReadonlyMap<string, Action> = new Map([
  ...actions('read', ['Read', 'NotebookRead', 'read_file', 'read', 'file_read', 'view']),
  ...actions('write', [
    'Write',
    'write_file',
    'write',
    'file_write',
    'write_to_file',
    'create_file',
  ]),
  ...actions('edit', [
    'Edit',
    'MultiEdit',
    'NotebookEdit',
    'edit_file',
    'edit',
    'replace',
    'replace_in_file',
    'apply_diff',
    'search_replace',
    'insert_content',
  ]),
]);

/** Tools whose `command` says what they do. */
const EDITORS: ReadonlySet<string> = new Set([
  'editor',
  'str_replace_editor',
  'str_replace_based_edit_tool',
]);
const COMMANDS: ReadonlyMap<unknown, Action> = new Map([
  ['view', 'read'],
  ['create', 'write'],
  ['str_replace', 'edit'],
  ['insert', 'edit'],
  ['undo_edit', 'edit'],
  ['pattern_replace', 'edit'],
]);

const PATHS = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path', 'target_file'];
const RANGES = [
  'offset',
  'limit',
  'start_line',
  'end_line',
  'view_range',
  'pages',
  'cell_id',
  'line_range',
];

/** Files that a call reads or changes, by the arguments of the known file tools; none for any other call. */
export function filesOf(call: ToolCall): FileUse[] {
  if (call.tool === 'apply_patch') return patchedFiles(call.args);
  const action = EDITORS.has(call.tool)
    ? COMMANDS.get(argument(call.args, 'command'))
    : TOOLS.get(call.tool);
  const path = pathOf(call.args);
  if (action === undefined || path === undefined) return [];
  return [{ path, action, range: action === 'read' ? rangeOf(call.args) : '' }];
}

/** Whether a tool is one that reads or changes files: cheap, so that arguments are read for few calls. */
export function isFileTool(tool: string): boolean {
  return tool === 'apply_patch' || EDITORS.has(tool) || TOOLS.has(tool);
}

function pathOf(args: unknown): string | undefined {
  const found = PATHS.map((name) => argument(args, name)).find(
    (value) => typeof value === 'string' && value !== '',
  );
  return typeof found === 'string' ? found.replace(/^\.\//, '') : undefined;
}

function rangeOf(args: unknown): string {
  const parts = RANGES.flatMap((name) => {
    const value = argument(args, name);
    return value === undefined || value === null ? [] : [`${name}=${compactJson(value)}`];
  });
  return parts.join(',');
}

/** Codex patches name their files on lines of their own. */
function patchedFiles(args: unknown): FileUse[] {
  const patch = typeof args === 'string' ? args : argument(args, 'input');
  if (typeof patch !== 'string') return [];
  return patch.split('\n').flatMap((line) => {
    const [, verb, path] = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line.trimEnd()) ?? [];
    if (path === undefined) return [];
    const action = verb === 'Update' ? ('edit' as const) : ('write' as const);
    return [{ path: path.replace(/^\.\//, ''), action, range: '' }];
  });
}

function actions(action: Action, names: readonly string[]): (readonly [string, Action])[] {
  return names.map((name) => [name, action] as const);
}
