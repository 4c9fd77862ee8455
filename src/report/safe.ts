/** Makes text of a transcript harmless on a terminal: control characters are shown, never sent. */
export function safe(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** The same for text of several lines: line ends and tabs stay. */
export function safeLines(text: string): string {
  return text.replace(UNSAFE, (unit) => (unit === '\n' || unit === '\t' ? unit : safe(unit)));
}

function escaped(unit: string): string {
  const code = unit.charCodeAt(0);
  const digits = code.toString(16);
  return code > 0xff ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`;
}

// C0, DEL, C1, and what turns the direction of text around or breaks a line.
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
