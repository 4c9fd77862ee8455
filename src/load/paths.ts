/** Names of outputs, made from the name of the input. */

/** `<stem>.compact<ext>` beside the input. */
export function defaultOutput(path: string): string {
  return renamed(path, /^(.*?)(\.[^./\\]+)?(\.(?:gz|zst|zstd))?$/is, 'compact');
}

/** `session.compact.jsonl` becomes `session.restored.jsonl`. */
export function defaultRestored(path: string): string {
  return renamed(path, /^(.*?)(?:\.compact)*(\.[^./\\]+)?(\.(?:gz|zst|zstd))?$/is, 'restored');
}

/** The name with a word between its stem and its extensions, that of a compression included. */
function renamed(path: string, parts: RegExp, word: string): string {
  const [, stem = path, extension = '', packed = ''] =
    parts.exec(path.replace(/[/\\]+$/, '')) ?? [];
  return `${stem}.${word}${extension}${packed}`;
}
