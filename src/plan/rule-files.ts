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

/** How clients begin a text that they put into a message themselves. */
const CLIENT_TEXT = ['<system-reminder>', '<user_instructions>', '<INSTRUCTIONS>', '# AGENTS.md'];
/** Clients say in the first lines which file they put in. */
const HEAD = 4000;

/**
 * The rule file that a text names, if it does. In what a person may have typed (`real`) only a text that begins as a
 * client begins it counts.
 */
export function ruleFileIn(text: string, real: boolean): string | undefined {
  const head = text.slice(0, HEAD).trimStart();
  if (real && !CLIENT_TEXT.some((start) => head.startsWith(start))) return undefined;
  return RULE_FILES.find((file) => head.includes(file));
}
