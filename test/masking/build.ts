import { type Compacted, compact, type MemoryOptions, type Step } from '../../src/memory.ts';
import type { BlockRow } from '../../src/report/report.ts';

/** A session of the Messages API, message by message. */
export class Session {
  readonly messages: { role: string; content: unknown }[] = [];
  #calls = 0;

  #id(): string {
    this.#calls += 1;
    return `call_${this.#calls}`;
  }

  user(text: string): this {
    this.messages.push({ role: 'user', content: text });
    return this;
  }

  /** A user message of these content blocks. */
  shows(...content: readonly unknown[]): this {
    this.messages.push({ role: 'user', content });
    return this;
  }

  /** A reply of these content blocks. */
  replies(...content: readonly unknown[]): this {
    this.messages.push({ role: 'assistant', content });
    return this;
  }

  says(text: string): this {
    this.messages.push({ role: 'assistant', content: [{ type: 'text', text }] });
    return this;
  }

  /** One reply with calls, and the message that answers them; a call without a result stays open. */
  calls(...calls: readonly Call[]): this {
    const made = calls.map((call) => ({ id: this.#id(), ...call }));
    const content = made.map(({ id, name, input = {} }) => ({ type: 'tool_use', id, name, input }));
    const narration = made.flatMap(({ says }) => (says === undefined ? [] : [text(says)]));
    this.messages.push({ role: 'assistant', content: [...narration, ...content] });
    const results = made.flatMap(({ id, result, failed, with: extra = [] }) =>
      result === undefined
        ? []
        : [
            {
              type: 'tool_result',
              tool_use_id: id,
              content: result,
              ...(failed === true ? { is_error: true } : {}),
            },
            ...extra,
          ],
    );
    if (results.length > 0) this.messages.push({ role: 'user', content: results });
    return this;
  }

  /** A read of a file with so many lines. */
  read(path: string, result: unknown): this {
    return this.calls({ name: 'Read', input: { file_path: path }, result });
  }

  get bytes(): Buffer {
    return Buffer.from(JSON.stringify({ model: 'claude-sonnet-4-5', messages: this.messages }));
  }

  compact(steps: readonly Step[], options: MemoryOptions = {}): Promise<Compacted> {
    return compact(this.bytes, { steps, counter: 'heuristic', window: 200_000, ...options });
  }
}

export interface Call {
  readonly id?: string;
  readonly name: string;
  readonly input?: unknown;
  readonly result?: unknown;
  readonly failed?: boolean;
  /** Text of the reply that makes the call. */
  readonly says?: string;
  /** Blocks that stand beside the result. */
  readonly with?: readonly unknown[];
}

export function text(value: string): { type: 'text'; text: string } {
  return { type: 'text', text: value };
}

/** Text of `tokens` tokens as the heuristic counts: four characters each. */
export function tokensOf(tokens: number, label = 'x'): string {
  return `${label} `.repeat(Math.ceil((tokens * 4) / (label.length + 1))).slice(0, tokens * 4);
}

/** Rows of results, in order. */
export function results({ report }: Compacted): BlockRow[] {
  return report.blocks.filter(({ kind }) => kind === 'toolResult');
}

export function reasons(done: Compacted): string[] {
  return results(done).map(({ reason }) => reason);
}

export function actions(done: Compacted): string[] {
  return results(done).map(({ action }) => action);
}

export interface Sent {
  readonly role: string;
  readonly content: string | readonly { type: string; text?: string; content?: unknown }[];
}

export function messagesOf(done: Compacted): readonly Sent[] {
  return (JSON.parse(done.bytes.toString('utf8')) as { messages: Sent[] }).messages;
}

/** A message's content that is a plain text. */
export function contentOf(done: Compacted, message: number): string {
  const content = messagesOf(done)[message]?.content;
  if (typeof content === 'string') return content;
  throw new Error(`message ${message} has no plain text`);
}
