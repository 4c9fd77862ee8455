/** The compact description that transcripts are built from. */

export interface Part {
  readonly text?: string;
  readonly json?: unknown;
  /** Base64 of a picture. */
  readonly image?: string;
  /** Source of a document, as Converse writes it. */
  readonly document?: unknown;
}

export type Content = string | readonly Part[];

export type Turn =
  | { readonly type: 'user' | 'assistant'; readonly content: Content; readonly pinned?: true }
  | { readonly type: 'thinking'; readonly text: string; readonly signature?: string }
  | { readonly type: 'call'; readonly id: string; readonly tool: string; readonly input: unknown }
  | {
      readonly type: 'result';
      readonly id: string;
      readonly content: Content;
      readonly error?: boolean;
    }
  /** Ends the message: what follows is a message of its own even when the role stays. */
  | { readonly type: 'split' };

export const user = (content: Content): Turn => ({ type: 'user', content });
export const assistant = (content: Content): Turn => ({ type: 'assistant', content });
export const thinking = (text: string, signature?: string): Turn =>
  signature === undefined ? { type: 'thinking', text } : { type: 'thinking', text, signature };
export const call = (id: string, tool: string, input: unknown = {}): Turn => ({
  type: 'call',
  id,
  tool,
  input,
});
export const result = (id: string, content: Content, error = false): Turn => ({
  type: 'result',
  id,
  content,
  ...(error ? { error } : {}),
});
export const failed = (id: string, content: Content): Turn => result(id, content, true);
export const split: Turn = { type: 'split' };
export const pinned = (turn: Turn): Turn =>
  turn.type === 'user' || turn.type === 'assistant' ? { ...turn, pinned: true } : turn;

/** Text of exactly that many heuristic tokens (4 UTF-16 units each), in lines of 40. */
export function filler(tokens: number, name = 'line'): string {
  const line = (index: number) => `${name} ${index} `.padEnd(39, '.').slice(0, 39);
  const count = Math.ceil(tokens / 10);
  const lines = Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');
  return `${lines.slice(0, tokens * 4 - 1)}.`;
}

/** A PNG header of these dimensions as base64; `mark` makes the bytes differ. */
export function png(width: number, height: number, mark = 0): string {
  const bytes = Buffer.alloc(64, mark);
  bytes.write('\x89PNG\r\n\x1a\n', 0, 'latin1');
  bytes.writeUInt32BE(13, 8);
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString('base64');
}

type Kind = 'user' | 'reply' | 'result';

export interface Group {
  readonly kind: Kind;
  readonly turns: Turn[];
}

/** Turns of one message: a reply with its calls, or the results that follow one another. */
export function messages(turns: readonly Turn[]): Group[] {
  const groups: Group[] = [];
  let open: Group | undefined;
  for (const turn of turns) {
    if (turn.type === 'split') {
      open = undefined;
      continue;
    }
    const kind = turn.type === 'user' || turn.type === 'result' ? turn.type : 'reply';
    if (open === undefined || open.kind !== kind || kind === 'user') {
      open = { kind, turns: [] };
      groups.push(open);
    }
    open.turns.push(turn);
  }
  return groups;
}
