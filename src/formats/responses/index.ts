import { type JsonStyle, stringLiteral, styleOf } from '../../json/literal.ts';
import { arrayGapEditor } from '../array/gap.ts';
import type { ConversationFacts } from '../build.ts';
import type { Drafts } from '../builder.ts';
import { RESPONSES_ITEMS } from '../dialects.ts';
import type { DocumentFormat, Format, Notice } from '../format.ts';
import { lineGapEditor } from '../lines/gap.ts';
import { objectAt, stringAt, valueAt } from '../value.ts';
import { documentScore, isResponse, itemsAt, linesScore } from './detect.ts';
import { ItemIndexer } from './indexer.ts';

const SHARED = {
  removal: true,
  strictAlternation: false,
  identity: 'stash',
  vendor: 'openai',
  verified: 'public documentation',
  dialect: RESPONSES_ITEMS,
} as const;

/** OpenAI Responses: a list of items, a request body with `input`, a response with `output`. */
export const openaiResponses: DocumentFormat = {
  ...SHARED,
  name: 'openai-responses',
  title: 'OpenAI Responses items',
  layout: 'json',
  detect: documentScore,
  messagesAt: itemsAt,
  indexer: (context, document) =>
    new ItemIndexer(
      {
        gaps: arrayGapEditor({
          message: (literal, _identity, _marker, style) => markerItem(literal, style),
        }),
        facts: (drafts) => factsOf(document, drafts),
        ...(isResponse(document) ? { fixed: 'response-output' } : {}),
        notices: noticesOf(document),
      },
      context,
    ),
};

/** The same items one a line, as sessions of the OpenAI Agents SDK are exported. */
export const openaiResponsesJsonl: Format = {
  ...SHARED,
  name: 'openai-responses-jsonl',
  title: 'OpenAI Responses items, one a line',
  layout: 'jsonl',
  detect: linesScore,
  indexer: (context) =>
    new ItemIndexer(
      {
        gaps: lineGapEditor((gap, model) => {
          const style = styleOf(model);
          return markerItem(stringLiteral(gap.marker, style), style);
        }),
        facts: () => ({ overhead: 0 }),
      },
      context,
    ),
};

/** A user message item: the API takes it between any two others. */
function markerItem(literal: string, { colon, comma }: JsonStyle): string {
  const part = `{"type"${colon}"input_text"${comma}"text"${colon}${literal}}`;
  return `{"type"${colon}"message"${comma}"role"${colon}"user"${comma}"content"${colon}[${part}]}`;
}

function factsOf(document: unknown, { meter }: Drafts): Omit<ConversationFacts, 'id'> {
  const root = objectAt(document, 'response') ?? objectAt(document, 'body') ?? document;
  const instructions = stringAt(root, 'instructions') ?? '';
  const tools = valueAt(root, 'tools');
  const model = stringAt(root, 'model');
  const usage = valueAt(root, 'usage', 'input_tokens');
  return {
    overhead: meter.text(instructions) + (tools === undefined ? 0 : meter.json(tools)),
    ...(model === undefined ? {} : { model }),
    ...(typeof usage === 'number' ? { usage } : {}),
  };
}

function noticesOf(document: unknown): readonly Notice[] {
  const root = objectAt(document, 'response') ?? objectAt(document, 'body') ?? document;
  const server = ['previous_response_id', 'conversation'].find(
    (key) => (valueAt(root, key) ?? undefined) !== undefined,
  );
  if (server === undefined) return [];
  const text = `${server} is set: the service holds earlier items that this file does not, and totals leave them out`;
  return [{ code: 'partial-context', text }];
}
