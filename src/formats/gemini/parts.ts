import { sha256Hex } from '../../hash/hash.ts';
import { parseMarker } from '../../marker/marker.ts';
import type { BlockDraft, Drafts } from '../builder.ts';
import type { TypedIdentity } from '../format.ts';
import { arrayAt, type Json, stringAt, valueAt } from '../value.ts';
import { isSigned, isThought, memberOf } from './dialect.ts';
import { leavesOf, mainLeaf, without } from './leaf.ts';

export type Typed = ReadonlyMap<string, TypedIdentity> | undefined;

/** Where parts lie, and what their reader needs. */
export interface PartPlace {
  readonly record: number;
  readonly pointer: string;
  readonly typed: Typed;
  readonly drafts: Drafts;
  readonly ids: CallIds;
  /** How a result ended, when the file says so beside it. */
  readonly errorOf?: (response: Json) => boolean | undefined;
  /** Tokens of thoughts are not counted where the client does not send them. */
  readonly thoughtless?: boolean;
}

/** A block, and for a result the hash of its text: the same text may be sent from two places. */
export interface Part {
  readonly block: BlockDraft;
  readonly hash?: string;
}

/** The blocks of one part of a content. */
export function readPart(part: unknown, place: PartPlace): Part[] {
  const { record, pointer, typed, drafts } = place;
  if (typeof part === 'string')
    return [{ block: drafts.text(part, { record, pointer }, typed?.get(pointer)) }];
  const call = memberOf(part, 'functionCall');
  if (call !== undefined) return [{ block: readCall(part, call, place) }];
  const response = memberOf(part, 'functionResponse');
  if (response !== undefined) return readResponse(response, place);
  const text = stringAt(part, 'text');
  if (text === undefined) return [{ block: drafts.media(part, { record, pointer }) }];
  const signed = isSigned(part);
  if (isThought(part)) {
    const tokens = place.thoughtless === true ? 0 : drafts.meter.text(text);
    return [{ block: drafts.sealed('thinking', record, tokens, { signed }) }];
  }
  if (signed)
    return [{ block: drafts.sealed('text', record, drafts.meter.text(text), { signed }) }];
  const at = `${pointer}/text`;
  return [{ block: drafts.text(text, { record, pointer: at }, typed?.get(at)) }];
}

function readCall(
  part: unknown,
  { key, value }: { key: string; value: Json },
  { record, pointer, drafts, ids }: PartPlace,
): BlockDraft {
  const tool = stringAt(value, 'name') ?? '';
  const tokens = drafts.meter.text(tool) + drafts.meter.json(value['args'] ?? {});
  return drafts.sealed('toolCall', record, tokens, {
    tool,
    callId: ids.call(tool, stringAt(value, 'id')),
    pointer: `${pointer}/${key}/args`,
    signed: isSigned(part),
  });
}

/** A result is the largest string of its response; what else the response holds is counted beside it. */
function readResponse({ key, value }: { key: string; value: Json }, place: PartPlace): Part[] {
  const { record, pointer, drafts, ids } = place;
  const tool = stringAt(value, 'name') ?? '';
  const callId = ids.answer(tool, stringAt(value, 'id'));
  const response = value['response'];
  const at = `${pointer}/${key}`;
  const parts = (arrayAt(value, 'parts') ?? []).map((part, index) => ({
    block: drafts.media(part, { record, pointer: `${at}/parts/${index}` }, true),
  }));
  return [...resultAt(response, { ...place, pointer: `${at}/response` }, callId, tool), ...parts];
}

/** The result whose output (a string or any JSON) lies at the place. */
export function resultAt(
  output: unknown,
  { record, pointer, typed, drafts, errorOf }: PartPlace,
  callId: string,
  tool: string,
): Part[] {
  const leaf = mainLeaf(
    leavesOf(output),
    ({ text, pointer: at }) =>
      typed?.has(pointer + at) === true ||
      (text.startsWith('[') && parseMarker(text) !== undefined),
  );
  if (leaf === undefined) {
    const tokens = drafts.meter.json(output);
    return [{ block: drafts.sealed('toolResult', record, tokens, { tool, callId }) }];
  }
  const response = typeof output === 'string' ? { output } : (output as Json);
  const isError = errorOf?.(response);
  const block = drafts.result(leaf.text, {
    record,
    pointer: pointer + leaf.pointer,
    callId,
    tool,
    ...(isError === undefined ? {} : { isError }),
    ...(typed === undefined ? {} : { typed }),
  });
  const result = { block, hash: sha256Hex(leaf.text) };
  const [only, ...others] = Object.keys(response);
  if (leaf.path.length < 2 && only !== undefined && others.length === 0) return [result];
  const rest = drafts.meter.json(without(output, leaf.path));
  return [result, { block: drafts.sealed('opaque', record, rest) }];
}

/** Ids of calls. Where the file has none, a response answers the first open call of its name, as the API pairs them. */
export class CallIds {
  #count = 0;
  #open: { readonly name: string; readonly id: string }[] = [];

  call(name: string, id: string | undefined): string {
    if (id !== undefined && id !== '') return id;
    this.#count += 1;
    const made = `${name} ${this.#count}`;
    this.#open.push({ name, id: made });
    return made;
  }

  answer(name: string, id: string | undefined): string {
    if (id !== undefined && id !== '') return id;
    const found = this.#open.find((call) => call.name === name);
    if (found === undefined) return this.#unmatched(name);
    this.#open = this.#open.filter((call) => call !== found);
    return found.id;
  }

  #unmatched(name: string): string {
    this.#count += 1;
    return `${name} unmatched ${this.#count}`;
  }
}

/** Success and failure as the API documents them: `output` and `error` of a response. */
export function documentedError(response: Json): boolean | undefined {
  if (valueAt(response, 'error') !== undefined && valueAt(response, 'error') !== null) return true;
  return valueAt(response, 'output') === undefined ? undefined : false;
}

const EXIT_CODE =
  /(?:^|\n)Exit Code: (-?\d+)(?:\n(?:Error|Signal|Background PIDs|Process Group PGID): [^\n]*)*(?:\n<\/untrusted_context>)?\s*$/;

/** A failed shell command counts as a success to the clients; they write its exit code at the end of the output. */
export function clientError(response: Json): boolean | undefined {
  const output = stringAt(response, 'output');
  const code = output === undefined ? null : EXIT_CODE.exec(output.slice(-1000));
  return code === null ? documentedError(response) : code[1] !== '0';
}
