/** Names of outputs, made from the name of the input. */

/** `<stem>.compact<ext>` beside the input. */
export function defaultOutput(path: string): string {
  const match = /^(.*?)(\.[^./\\]+)?$/s.exec(path.replace(/[/\\]+$/, ''));
  return `${match?.[1] ?? path}.compact${match?.[2] ?? ''}`;
}

/** `session.compact.jsonl` becomes `session.restored.jsonl`. */
export function defaultRestored(path: string): string {
  const match = /^(.*?)(?:\.compact)*(\.[^./\\]+)?$/s.exec(path.replace(/[/\\]+$/, ''));
  return `${match?.[1] ?? path}.restored${match?.[2] ?? ''}`;
}
