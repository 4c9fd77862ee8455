import type { Message } from '../model/conversation.ts';
import { Duplicates } from './duplicates.ts';
import { Messages, placeOf } from './places.ts';
import type {
  FileCounts,
  FileRow,
  KindRow,
  LargestRow,
  Origin,
  ToolCounts,
  ToolRow,
} from './rows.ts';
import { Largest, section } from './section.ts';
import type { Sections } from './stats.ts';
import { shares, Tallies, type Tally, tallyOf } from './tally.ts';
import type { Seen } from './walk.ts';

/** The sections that statistics have, in the order in which they are shown. */
export const SECTION_NAMES: readonly (keyof Sections)[] = [
  'kinds',
  'tools',
  'files',
  'messages',
  'blocks',
  'duplicates',
];

/** Sorts blocks into every section as they come by. */
export class Groups {
  readonly #kinds = new Tallies<Pick<KindRow, 'kind' | 'origin'>, Tally>();
  readonly #tools = new Tallies<Pick<ToolRow, 'tool'>, ToolCounts>();
  readonly #files = new Tallies<Pick<FileRow, 'path'>, FileCounts>();
  readonly #messages: Messages;
  readonly #blocks: Largest<LargestRow>;
  readonly #duplicates = new Duplicates();
  readonly #top: number;

  /** `top` is how many rows a section shows. */
  constructor(top: number) {
    this.#top = top;
    this.#messages = new Messages(top);
    this.#blocks = new Largest(top);
  }

  add(seen: Seen): void {
    const { message, block, bytes } = seen;
    const tally = tallyOf(message.live, block.tokens, bytes);
    const origin = block.kind === 'text' ? originOf(message) : null;
    this.#kinds.add(`${block.kind} ${origin}`, { kind: block.kind, origin }, tally);
    this.#tool(seen, tally);
    this.#file(seen);
    this.#messages.add(seen);
    this.#blocks.add({
      ...placeOf(seen),
      index: block.index,
      kind: block.kind,
      tool: block.tool ?? null,
      callId: block.callId ?? null,
    });
    this.#duplicates.add(seen);
  }

  /** The chosen sections, each cut to its first rows. */
  sections(chosen: ReadonlySet<keyof Sections>): Sections {
    const top = this.#top;
    const all: Sections = {
      kinds: section(this.#kinds.rows(), Number.POSITIVE_INFINITY, tallyAmount),
      tools: section(this.#tools.rows(), top, tallyAmount),
      files: section(this.#files.rows(), top, tallyAmount),
      messages: this.#messages.section(),
      blocks: this.#blocks.section(),
      duplicates: section(this.#duplicates.rows(), top, (row) => ({ ...row, dead: 0 })),
    };
    const shown = SECTION_NAMES.map((name) => [name, chosen.has(name) ? all[name] : null]);
    return Object.fromEntries(shown) as Sections;
  }

  /** All blocks together. */
  total(): Tally {
    const all = new Tallies<object, Tally>();
    for (const { kind: _kind, origin: _origin, ...tally } of this.#kinds.rows())
      all.add('', {}, tally);
    return all.rows()[0] ?? tallyOf(true, 0, 0);
  }

  #tool({ message, block }: Seen, tally: Tally): void {
    const isCall = block.kind === 'toolCall';
    if (!isCall && block.kind !== 'toolResult') return;
    const one = Number(message.live);
    const tool = block.tool ?? null;
    this.#tools.add(
      tool === null ? '' : `=${tool}`,
      { tool },
      {
        ...tally,
        calls: isCall ? one : 0,
        results: isCall ? 0 : one,
        errors: block.isError === true ? one : 0,
      },
    );
  }

  #file({ message, block, bytes, paths }: Seen): void {
    const tokens = shares(block.tokens, paths.length);
    const sizes = shares(bytes, paths.length);
    const calls = block.kind === 'toolCall' && message.live ? 1 : 0;
    for (const [index, path] of paths.entries()) {
      const tally = tallyOf(message.live, tokens[index] ?? 0, sizes[index] ?? 0);
      this.#files.add(path, { path }, { ...tally, calls });
    }
  }
}

function tallyAmount({ tokens, deadTokens, bytes, deadBytes }: Tally): {
  tokens: number;
  dead: number;
  bytes: number;
} {
  return { tokens, dead: deadTokens, bytes: bytes + deadBytes };
}

function originOf({ gap, injected, role }: Message): Origin {
  if (gap !== undefined) return 'marker';
  return injected ? 'injected' : role;
}
