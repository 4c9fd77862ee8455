import type { Block, Message } from '../model/conversation.ts';
import { type BlockResult, decideBlocks } from '../plan/blocks.ts';
import { type Described, decideRemoval } from '../plan/removal.ts';
import type { StrategySpec } from '../specs/spec.ts';
import type { SummaryItem } from '../summarize/summarizer.ts';
import type { Read, Strategy, Tools } from './strategy.ts';

/** Share of the original that a summary may take, and its bounds in tokens. */
const SHARE = 0.15;
const LEAST = 100;
const MOST = 2000;

/** Leaves a summary; on `*` one summary for each contiguous run of messages. */
export const summarize: Strategy = {
  method: 'summarize',
  summary: 'leave a summary; on * one for each contiguous run of messages',
  decide: (view, spec, tools) =>
    spec.target.type === '*'
      ? decideRemoval(view, spec, tools, {
          method: 'summarize',
          action: 'summarized',
          describe: (messages, tokens) => summarizeRun(messages, tokens, spec, tools),
        })
      : decideBlocks(view, spec, tools, {
          method: 'summarize',
          action: 'summarized',
          scope: (block) => (block.kind === 'toolResult' ? 'text' : 'all'),
          replace: (block, read) => summarizeBlock(block, read, spec, tools),
        }),
};

async function summarizeRun(
  messages: readonly Message[],
  tokens: number,
  spec: StrategySpec,
  tools: Tools,
): Promise<Described | { reason: string }> {
  const body = await ask(tools.items(messages), tokens, spec, tools);
  if (body === undefined) return { reason: 'summary-failed' };
  return { form: { type: 'summarized-messages', messages: messages.length }, body };
}

async function summarizeBlock(
  block: Block,
  { content }: Read,
  spec: StrategySpec,
  tools: Tools,
): Promise<BlockResult> {
  // A picture has no text to take lines from: it is offloaded and named.
  if (content.texts === 0)
    return { form: { type: 'offloaded-media', media: content.media }, recipe: {} };
  const item = { role: 'user', kind: block.kind, text: content.text, ...facts(block) };
  const body = await ask([item], tools.meter.text(content.text), spec, tools);
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

/** A failed summary leaves its messages as they are; the others go on. */
async function ask(
  items: readonly SummaryItem[],
  tokens: number,
  spec: StrategySpec,
  tools: Tools,
): Promise<string | undefined> {
  const maxTokens =
    spec.summaryTokens ?? Math.min(MOST, Math.max(LEAST, Math.ceil(tokens * SHARE)));
  try {
    const answer = await tools.summarizer.summarize({ items, maxTokens, count: tools.meter.text });
    const text = typeof answer === 'string' ? answer : answer.text;
    return text.trim() === '' ? undefined : text;
  } catch (cause) {
    tools.warn({
      code: 'summary-failed',
      text: `${tools.summarizer.name}: ${(cause as Error).message}`,
    });
    return undefined;
  }
}
