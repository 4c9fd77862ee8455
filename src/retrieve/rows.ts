/** A line of what is printed. Every row belongs to a line of the content; what ctx adds stands before it. */
export interface Row {
  /** 1-based line of the content. */
  readonly line: number;
  /** All characters of the row: ours, then the line's own, its `\n` included where it has one. */
  readonly text: string;
  /** How many of the characters are ours. */
  readonly ours: number;
}

/** The lines of a text. They end at `\n` only, and a final `\n` does not begin another. */
export function splitRows(text: string): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline + 1;
    rows.push({ line: rows.length + 1, text: text.slice(at, end), ours: 0 });
    at = end;
  }
  return rows;
}

/** The line itself: without what is ours and without its line end. */
export function content({ text, ours }: Row): string {
  return text.slice(ours, text.endsWith('\n') ? -1 : undefined);
}
