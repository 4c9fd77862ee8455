import { argument, parsedArguments } from '../effects/call.ts';

/** Tools that read or write the files their arguments name, in every client known to have them. */
const FILE_TOOLS: ReadonlySet<string> = new Set(
  [
    // Claude Code
    'Read Edit MultiEdit Write NotebookRead NotebookEdit',
    // Codex and Gemini CLI
    'read_file view_image read_many_files write_file replace',
    // OpenCode and pi
    'read edit write',
    // Strands, OneRingAI, Anthropic's own editors
    'file_read file_write edit_file editor',
    'text_editor str_replace_editor str_replace_based_edit_tool',
  ].flatMap((line) => line.split(' ')),
);

/** Arguments that name files; the first that a call has is taken. */
const KEYS: readonly string[] = [
  'file_path',
  'filePath',
  'absolute_path',
  'notebook_path',
  'path',
  'paths',
  'include',
];

/** Tools whose text is a patch, and the arguments that it may be in. */
const PATCH_TOOLS: ReadonlySet<string> = new Set(['apply_patch', 'patch']);
const PATCH_KEYS: readonly string[] = ['input', 'patch', 'patchText'];
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;

/** No system takes longer paths: what is longer is none, and is not worth the memory. */
const LONGEST = 4096;

/** Whether the arguments of a tool name files, so that they are worth reading. */
export function namesFiles(tool: string): boolean {
  return FILE_TOOLS.has(tool) || PATCH_TOOLS.has(tool);
}

/** The files that a call is about, as its arguments write them, each once. */
export function pathsOf(tool: string, value: unknown): readonly string[] {
  const args = parsedArguments(value);
  const found = PATCH_TOOLS.has(tool) ? patchedPaths(args) : namedPaths(args);
  const usable = found.filter((path) => path !== '' && path.length <= LONGEST);
  return [...new Set(usable)];
}

function namedPaths(args: unknown): readonly string[] {
  const named = KEYS.map((key) => argument(args, key)).find((value) => value !== undefined);
  const list: readonly unknown[] = Array.isArray(named) ? named : [named];
  return list.filter((path) => typeof path === 'string');
}

function patchedPaths(args: unknown): readonly string[] {
  const texts = [args, ...PATCH_KEYS.map((key) => argument(args, key))];
  const text = texts.find((value) => typeof value === 'string');
  if (text === undefined) return [];
  return [...text.matchAll(PATCHED)].map(([, path = '']) => path.trim());
}
