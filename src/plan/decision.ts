import type { BlockKind, LiteralPlace, OffloadMethod } from '../model/conversation.ts';
import type { PieceSpan } from '../model/splice.ts';
import type { Action } from '../report/report.ts';

/** How the text that replaces an original is made: data, so that a plan can be printed and saved. */
export interface Recipe {
  /** The marker's first line. */
  readonly line: string;
  /** A summary that follows after a blank line. */
  readonly body?: string;
  /** Parts of the original text that stay, in UTF-16 units, with the line that stands between them. */
  readonly keep?: readonly KeptRange[];
  /** The same for folded lines: what stays runs on without blank lines between. */
  readonly fold?: readonly KeptRange[];
}

export interface KeptRange {
  readonly start: number;
  readonly end: number;
  /** Elision line in front of this part; '' when nothing is left out there. */
  readonly before: string;
}

/** What an edit takes of a block: `text` leaves media inside it, `media` leaves its text. */
export type Scope = 'text' | 'media' | 'all';

/** A block whose content is replaced. */
export interface BlockDecision {
  readonly type: 'block';
  readonly conversation: number;
  readonly block: number;
  readonly method: OffloadMethod;
  readonly action: Action;
  readonly strategy: string;
  readonly reason: string;
  readonly ref: string;
  readonly recipe: Recipe;
  /** The format's own mark hides the block; nothing of it leaves the file. */
  readonly native?: true;
  /** `text` leaves media inside the block where they are. */
  readonly scope: Scope;
  /** Kind of what left, where it is not the block's own. */
  readonly kind?: BlockKind;
  /** Copies of it that no model sees and that leave with it, into the same entry. */
  readonly copies?: readonly LiteralPlace[];
  /** What leaves, as spans relative to the record. */
  readonly pieces: readonly PieceSpan[];
  /** Identifies the marker's text. */
  readonly textHash: string;
  /** The marker's own tokens; `tokensAfter` also counts what stays beside it. */
  readonly markerTokens: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** Messages that are removed together, with one marker in their place. */
export interface GapDecision {
  readonly type: 'gap';
  readonly conversation: number;
  /** Message indexes, ascending. */
  readonly messages: readonly number[];
  readonly method: OffloadMethod;
  readonly action: Action;
  readonly strategy: string;
  readonly reason: string;
  readonly ref: string;
  readonly recipe: Recipe;
  readonly host?: { readonly message: number; readonly end: 'first' | 'last' };
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** A message (or a block of a host) that is added: what was made from a source that mostly stays. */
export interface CapsuleDecision {
  readonly type: 'capsule';
  readonly conversation: number;
  /** Messages that the source was made of, ascending; their records are archived under the ref. */
  readonly source: readonly number[];
  /** Earlier capsules that it takes up: their messages leave. */
  readonly merged: readonly number[];
  /** Message that it stands before. */
  readonly before: number;
  readonly method: 'capsule';
  readonly action: Action;
  readonly strategy: string;
  readonly reason: string;
  readonly ref: string;
  readonly recipe: Recipe;
  readonly host?: GapDecision['host'];
  /** Tokens of the source. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** One string literal that is replaced where it stands: a copy that no model sees, or part of a call's input. */
export interface LeafDecision {
  readonly type: 'leaf';
  readonly conversation: number;
  readonly place: LiteralPlace;
  /** The block that it is part of, and whose tokens change; absent for a copy. */
  readonly block?: number;
  readonly method: 'drop';
  readonly action: Action;
  readonly strategy: string;
  readonly reason: string;
  readonly ref: string;
  readonly recipe: Recipe;
  readonly textHash: string;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** A block that goes without a trace, or records that repeat others. */
export interface CutDecision {
  readonly type: 'cut';
  readonly conversation: number;
  /** Absent for records that are no message. */
  readonly block?: number;
  /** Whole records that go. */
  readonly records: readonly number[];
  /** Element of a record that goes, when the record stays. */
  readonly element?: LiteralPlace;
  readonly method: 'drop';
  readonly action: Action;
  readonly strategy: string;
  readonly reason: string;
  readonly ref: string;
  readonly tokensBefore: number;
  readonly tokensAfter: 0;
}

export type Decision = BlockDecision | GapDecision | CapsuleDecision | LeafDecision | CutDecision;

/** The marker's text; `original` is needed when parts of it stay. */
export function renderRecipe(recipe: Recipe, original = ''): string {
  const { keep, fold } = recipe;
  if (fold !== undefined) {
    const parts = fold.map(({ before, start, end }) => {
      const text = original.slice(start, end);
      return before === '' ? text : `${before}\n${text}`;
    });
    return `${recipe.line}\n\n${parts.join('')}`;
  }
  if (keep !== undefined) {
    const parts = keep.flatMap(({ before, start, end }, index) => {
      const text = original.slice(start, end);
      // The blank line after a part that ends with its own line end needs no further one.
      return [before, index < keep.length - 1 ? text.replace(/\n$/, '') : text];
    });
    return [recipe.line, ...parts].filter((part) => part !== '').join('\n\n');
  }
  return recipe.body === undefined ? recipe.line : `${recipe.line}\n\n${recipe.body}`;
}
