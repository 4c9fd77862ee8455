/** Makes text of a transcript harmless on a terminal: control characters are shown, never sent. */
export function safe(text: string): string {
  return text.replace(UNSAFE, (unit) => `\\x${unit.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** The same for text of several lines: line ends and tabs stay. */
export function safeLines(text: string): string {
  return text.replace(UNSAFE, (unit) => (unit === '\n' || unit === '\t' ? unit : safe(unit)));
}

// C0, DEL, C1, and what turns the direction of text around.
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
