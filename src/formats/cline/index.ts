import { buildConversation } from '../build.ts';
import { Drafts, type MessageDraft } from '../builder.ts';
import type { DocumentFormat, IndexContext, Indexed, Indexer } from '../format.ts';
import { arrayAt, isObject, type Json, stringAt, valueAt } from '../value.ts';
import { CLINE_ITEMS, messageBlocks } from './blocks.ts';
import { clineScore, rooScore } from './detect.ts';
import { type Entry, rooFacts, sentDrafts } from './sent.ts';

/** Texts that the client writes into user messages: state of the editor, results of its old XML tools, errors. */
const CLIENT_TEXT = /^\s*(?:<environment_details>|\[ERROR\]|# (?:TODO LIST|task_progress))/;
const XML_RESULT = /^\s*\[[a-z_]+(?: for '[^\n]*')?\] Result:/;

/** Cline: `api_conversation_history.json` of a task, and the session file of its SDK. */
export const cline: DocumentFormat = taskHistory({
  name: 'cline',
  title: 'Cline task history',
  verified: 'source of Cline, messages contract version 1',
  detect: clineScore,
});

/** Roo Code: the same list with its own marks; messages behind a summary or a truncation are not sent. */
export const rooCode: DocumentFormat = taskHistory({
  name: 'roo-code',
  title: 'Roo Code task history',
  verified: 'source of Roo Code',
  detect: rooScore,
});

function taskHistory(
  facts: Pick<DocumentFormat, 'name' | 'title' | 'verified' | 'detect'>,
): DocumentFormat {
  return {
    ...facts,
    layout: 'json',
    removal: 'other files of the task address its messages by position',
    strictAlternation: false,
    identity: 'stash',
    vendor: 'anthropic',
    dialect: CLINE_ITEMS,
    messagesAt: (document) => {
      if (Array.isArray(document)) return '';
      return arrayAt(document, 'messages') === undefined ? undefined : '/messages';
    },
    indexer: (context, document) => new TaskIndexer(context, document),
  };
}

class TaskIndexer implements Indexer {
  readonly #drafts: Drafts;
  readonly #id: string;
  readonly #system: string;
  readonly #entries: Entry[] = [];
  readonly #models = new Map<number, string>();
  #usage: number | undefined;

  constructor(context: IndexContext, document: unknown) {
    this.#drafts = new Drafts(context, CLINE_ITEMS);
    this.#id = context.id;
    this.#system = stringAt(document, 'system_prompt') ?? '';
  }

  record(value: unknown, record: number): void {
    if (!isObject(value)) return;
    const roo = rooFacts(value);
    this.#entries.push({ draft: this.#draft(value, record, roo.summary), roo });
    const model = stringAt(value, 'modelInfo', 'modelId') ?? stringAt(value, 'modelInfo', 'id');
    if (model !== undefined && value['role'] === 'assistant') this.#models.set(record, model);
    this.#usage = usageOf(value) ?? this.#usage;
  }

  finish(): Indexed {
    const drafts = sentDrafts(this.#entries);
    const model = this.#modelOf(drafts);
    const conversation = buildConversation(drafts, {
      id: this.#id,
      overhead: this.#drafts.meter.text(this.#system),
      ...(model === undefined ? {} : { model }),
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
    });
    return { conversations: [conversation], findings: this.#drafts.findings };
  }

  #draft(value: Json, record: number, summary: boolean): MessageDraft {
    const role = value['role'] === 'user' ? 'user' : 'assistant';
    const blocks = messageBlocks(value, record, this.#drafts);
    const answers = blocks.some(({ kind }) => kind === 'toolResult');
    const marker = summary || value['isTruncationMarker'] === true;
    return {
      role,
      blocks,
      records: [record],
      real: role === 'user' && !answers && !marker && isTyped(value['content']),
      ...(marker ? { fixed: 'compaction-summary' } : {}),
    };
  }

  #modelOf(drafts: readonly MessageDraft[]): string | undefined {
    return drafts
      .filter(({ live }) => live !== false)
      .map(({ records }) => this.#models.get(records[0] ?? -1))
      .findLast((model) => model !== undefined);
  }
}

/** Whether a person wrote some of it. */
function isTyped(content: unknown): boolean {
  const texts =
    typeof content === 'string'
      ? [content]
      : (Array.isArray(content) ? content : []).map((block) => stringAt(block, 'text') ?? '');
  if (texts.some((text) => XML_RESULT.test(text))) return false;
  return texts.length === 0 || texts.some((text) => text.trim() !== '' && !CLIENT_TEXT.test(text));
}

/** Input tokens of the last request, with those from the cache: in a task file, and in a session of the SDK. */
function usageOf(value: Json): number | undefined {
  const counts = [
    ['tokens', 'prompt'],
    ['inputTokens'],
    ['cacheReadTokens'],
    ['cacheWriteTokens'],
  ].map((path) => valueAt(value, 'metrics', ...path));
  const sum = counts.reduce<number>((all, n) => all + (typeof n === 'number' ? n : 0), 0);
  return sum > 0 ? sum : undefined;
}
