import type { Head } from '../format.ts';
import { arrayAt, isObject, type Json, objectAt, stringAt } from '../value.ts';
import { anyElement, anyRecord, document, either, type KnownFormat } from './tests.ts';

/** Some object of the file passes: the document, an element of it, or a record. */
function anywhere(test: (value: Json) => boolean): (head: Head) => boolean {
  return either(document(test), anyElement(test), anyRecord(test));
}

/** The file is no JSON and begins like this; binary files are read as Latin-1. */
function text(start: RegExp): (head: Head) => boolean {
  return (head) => head.text !== undefined && start.test(head.text);
}

/** Attributes of a span, under their key or flat. */
function spanHas(span: Json, test: (key: string, value: unknown) => boolean): boolean {
  const own = objectAt(span, 'attributes') ?? span;
  return Object.entries(own).some(([key, value]) => test(key, value));
}

const isJsonText = (key: string, value: unknown) =>
  /^gen_ai\.(?:input|output)\.messages$/.test(key) && typeof value === 'string';

const isRun = (value: Json) =>
  stringAt(value, 'run_type') !== undefined && isObject(value['inputs']);

const isObservation = (value: Json) =>
  (value['traceId'] !== undefined &&
    /^(?:GENERATION|SPAN|EVENT)$/.test(stringAt(value, 'type') ?? '')) ||
  (value['observations'] !== undefined && value['trace'] !== undefined) ||
  (Array.isArray(value['observations']) && value['projectId'] !== undefined);

const isMutation = (value: Json) =>
  (value['kind'] === 0 && arrayAt(value, 'v', 'requests') !== undefined) ||
  (typeof value['kind'] === 'number' && Array.isArray(value['k']));

const SQLITE = /^SQLite format 3(?![ -~])/;
const INSPECT_ARCHIVE = /^PK[\s\S]{28}(?:_journal\/|samples\/|header\.json|summaries\.json)/;

/** Starts of binary files that are named rather than refused (Latin-1). */
export const NAMED_BINARIES: readonly RegExp[] = [SQLITE, INSPECT_ARCHIVE];

/** Exports, traces and stores of applications: named with the reason why they are not compacted. */
export const KNOWN_APPS: readonly KnownFormat[] = [
  {
    name: 'otel-traces',
    title: 'OpenTelemetry trace with its messages as JSON inside strings',
    advice:
      'every span repeats the prompt: take the newest one, `jq \'.attributes["gen_ai.input.messages"] | fromjson\' SPAN.json`, and compact that',
    detect: anywhere(
      (value) =>
        value['resourceSpans'] !== undefined ||
        value['resource_spans'] !== undefined ||
        spanHas(value, isJsonText),
    ),
  },
  {
    name: 'openinference',
    title: 'OpenInference trace',
    advice:
      'its messages are flattened into attributes (llm.input_messages.0.message.content) and every span repeats the prompt: export the messages from the application instead',
    detect: anywhere((value) =>
      spanHas(
        value,
        (key) => key.startsWith('llm.input_messages.') || key === 'openinference.span.kind',
      ),
    ),
  },
  {
    name: 'langfuse',
    title: 'Langfuse export',
    advice:
      'every observation repeats the prompt: take the input of the newest generation, `jq \'[.observations[] | select(.type=="GENERATION")] | last | .input\' TRACE.json`, and compact that',
    detect: anywhere(isObservation),
  },
  {
    name: 'langsmith',
    title: 'LangSmith run export',
    advice:
      "every run repeats the prompt: take the messages of the newest one, `jq '.inputs.messages' RUN.json`, and compact those",
    detect: anywhere(isRun),
  },
  {
    name: 'langgraph-history',
    title: 'LangGraph history of states',
    advice:
      "the newest state holds the whole conversation: `jq '.[0]' HISTORY.json`, and compact that",
    detect: either(
      anyElement((element) => arrayAt(element, 'values', 'messages') !== undefined),
      (head) =>
        head.records.length > 1 &&
        anyRecord((record) => arrayAt(record, 'values', 'messages') !== undefined)(head),
    ),
  },
  {
    name: 'cursor',
    title: 'Cursor agent transcript',
    advice: 'it holds no ids and no results, and Cursor does not resume from it',
    detect: anyRecord(
      (record) =>
        record['role'] !== undefined &&
        isObject(record['message']) &&
        record['uuid'] === undefined &&
        record['type'] === undefined,
    ),
  },
  {
    name: 'vscode-chat',
    title: 'VS Code chat session',
    advice:
      'results are spread over rounds, rendered parts and caches that must agree; VS Code reads it back from its own storage only (`Chat: Export Chat` makes a copy to read)',
    detect: document((root) => arrayAt(root, 'requests') !== undefined),
  },
  {
    name: 'vscode-chat-log',
    title: 'VS Code chat session as a log of changes',
    advice:
      'its lines are changes addressed by position, so that an edit of one moves the others; `Chat: Export Chat` makes a plain copy',
    detect: anyRecord(isMutation),
  },
  {
    name: 'inspect',
    title: 'Inspect log',
    advice:
      'scores and events refer to its messages; `inspect log dump FILE` prints it as JSON, `jq .samples[0].messages` gives a conversation that ctx reads',
    detect: either(
      document((root) => root['eval'] !== undefined && arrayAt(root, 'samples') !== undefined),
      document((root) => root['eval'] !== undefined && objectAt(root, 'plan') !== undefined),
      text(INSPECT_ARCHIVE),
    ),
  },
  {
    name: 'chatgpt-export',
    title: 'ChatGPT export',
    advice: 'an archive of the account: ChatGPT does not take it back',
    detect: anywhere(
      (value) =>
        isObject(value['mapping']) &&
        (value['current_node'] !== undefined || value['conversation_id'] !== undefined),
    ),
  },
  {
    name: 'claude-ai-export',
    title: 'Claude.ai export',
    advice: 'an archive of the account: Claude.ai does not take it back',
    detect: anywhere((value) => arrayAt(value, 'chat_messages') !== undefined),
  },
  {
    name: 'aider',
    title: 'Aider chat history',
    advice:
      'it is Markdown, with no marks of where a result begins or ends; Aider shortens its own history with /clear and summarizes it by itself',
    detect: text(/^\s*# aider chat started at /),
  },
  {
    name: 'specstory',
    title: 'SpecStory history',
    advice: 'it is Markdown made from a session to be read: compact the session file of the client',
    detect: text(/^\s*(?:#[^\n]*\n\s*)?<!-- (?:Generated by )?SpecStory/i),
  },
  {
    name: 'sqlite',
    title: 'SQLite database',
    advice:
      "Cursor (state.vscdb), Goose and others keep sessions in one: use the client's own export, such as `goose session export` or `opencode export`; Cursor has none",
    general: true,
    detect: text(SQLITE),
  },
];
