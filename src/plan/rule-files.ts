/** Files that hold the rules of a project, wherever a client reads or injects them. */
const RULE_FILES: readonly string[] = [
  'CLAUDE.md',
  'CLAUDE.local.md',
  'AGENTS.md',
  'AGENTS.override.md',
  'GEMINI.md',
  'QWEN.md',
  'copilot-instructions.md',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  '.roorules',
  '.goosehints',
];

/** The rule file that a path names, if it does. */
export function ruleFileAt(path: string): string | undefined {
  const name = path.split(/[/\\]/).at(-1);
  return RULE_FILES.find((file) => file === name);
}

/** The rule file that a text names, if it does: clients say which file they put in. */
export function ruleFileIn(text: string): string | undefined {
  return RULE_FILES.find((file) => text.includes(file));
}
