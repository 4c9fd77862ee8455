import { CtxError } from '../errors.ts';
import { plural } from '../marker/marker.ts';
import type { Block, Message } from '../model/conversation.ts';
import { type BlockMethod, type BlockResult, decideBlocks } from '../plan/blocks.ts';
import { type Described, decideRemoval } from '../plan/removal.ts';
import type { StepFacts } from '../report/report.ts';
import type { StrategySpec } from '../specs/spec.ts';
import { extractive } from '../summarize/extractive.ts';
import type { Asking } from '../summarize/helper.ts';
import type { SummaryItem, SummaryRequest } from '../summarize/summarizer.ts';
import type { Read, Strategy, Tools } from './strategy.ts';

/** Share of the original that a summary may take, and its bounds in tokens. */
const SHARE = 0.15;
const LEAST = 100;
const MOST = 2000;

/** Stands for a summary that was not asked for: a plan that is only shown. */
const NOT_ASKED = '…';

/** Leaves a summary; on `*` one summary for each contiguous run of messages. */
export const summarize: Strategy = {
  method: 'summarize',
  destructive: 6,
  async decide(view, spec, tools) {
    const writer = new Writer(spec, tools);
    const outcome =
      spec.target.type === '*'
        ? await decideRemoval(view, spec, tools, {
            method: 'summarize',
            action: 'summarized',
            describe: (messages, tokens) => summarizeRun(messages, tokens, writer, tools),
          })
        : await decideBlocks(view, spec, tools, summaryMethod(writer, tools));
    return { ...outcome, facts: writer.facts() };
  },
};

/** A summary in the place of one block. */
export function summaryMethod(writer: Writer, tools: Tools): BlockMethod {
  return {
    method: 'summarize',
    action: 'summarized',
    scope: (block) => (block.kind === 'toolResult' ? 'text' : 'all'),
    replace: (block, read) => summarizeBlock(block, read, writer, tools),
    parallel: tools.helper.external,
  };
}

async function summarizeRun(
  messages: readonly Message[],
  tokens: number,
  writer: Writer,
  tools: Tools,
): Promise<Described | { reason: string }> {
  const what = `messages ${messages[0]?.index}-${messages.at(-1)?.index}`;
  const body = await writer.write(tools.items(messages), tokens, what);
  if (body === undefined) return { reason: 'summary-failed' };
  return { form: { type: 'summarized-messages', messages: messages.length }, body };
}

async function summarizeBlock(
  block: Block,
  { content }: Read,
  writer: Writer,
  tools: Tools,
): Promise<BlockResult> {
  // A picture has no text to take lines from: it is offloaded and named.
  if (content.texts === 0)
    return { form: { type: 'offloaded-media', media: content.media }, recipe: {} };
  const item = { role: 'user', kind: block.kind, text: content.text, ...facts(block) };
  const body = await writer.write([item], tools.meter.text(content.text), `block ${block.index}`);
  if (body === undefined) return { reason: 'summary-failed' };
  const what = block.kind === 'toolResult' ? 'tool result' : 'text block';
  return { form: { type: 'summarized-block', what }, recipe: { body } };
}

function facts(block: Block): Pick<SummaryItem, 'tool' | 'isError'> {
  return {
    ...(block.tool === undefined ? {} : { tool: block.tool }),
    ...(block.isError === undefined ? {} : { isError: block.isError }),
  };
}

/** Writes the summaries of one step. A failed one leaves its messages as they are; the others go on. */
export class Writer {
  readonly #spec: StrategySpec;
  readonly #tools: Tools;
  readonly #asking: Asking;
  #withheld = 0;

  constructor(spec: StrategySpec, tools: Tools) {
    this.#spec = spec;
    this.#tools = tools;
    this.#asking = tools.helper.open();
  }

  async write(
    items: readonly SummaryItem[],
    tokens: number,
    what: string,
  ): Promise<string | undefined> {
    const { helper, meter } = this.#tools;
    const share = Math.min(MOST, Math.max(LEAST, Math.ceil(tokens * SHARE)));
    const maxTokens = this.#spec.summaryTokens ?? share;
    const request: SummaryRequest = { items, maxTokens, count: meter.text };
    if (!helper.permitted) {
      this.#withheld += 1;
      return extractive.summarize(request).trim() || undefined;
    }
    if (helper.preview) return NOT_ASKED;
    try {
      const { text } = await this.#asking.ask(request, {
        accept: (answer) => {
          if (helper.external && answer.text.trim() === '') throw new Error('the answer is empty');
        },
      });
      return text.trim() === '' ? undefined : text;
    } catch (cause) {
      if (cause instanceof CtxError) throw cause;
      const text = `${helper.name} on ${what}: ${(cause as Error).message}`;
      this.#tools.warn({ code: 'summary-failed', text });
      return undefined;
    }
  }

  facts(): Partial<StepFacts> {
    const { helper } = this.#tools;
    if (this.#withheld > 0) {
      this.#tools.warn({
        code: 'transfer-not-allowed',
        text: `${helper.name} was not asked for ${plural(this.#withheld, 'summary', 'summaries')}: --allow-transfer lets the texts leave; the built-in extractive summarizer took its place`,
      });
    }
    return {
      fallback: this.#withheld > 0 ? 'extractive' : null,
      helper: helper.external ? this.#asking.report() : null,
    };
  }
}
