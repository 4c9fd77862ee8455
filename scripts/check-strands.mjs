// Shows with the published Strands TypeScript SDK that a compacted snapshot works.
//   node scripts/check-strands.mjs [<folder of the SDK> [<node 24 binary>]]
// or with STRANDS_SDK and NODE24 set; docs/formats/strands.md says how. ctx runs on the node that starts
// this script, the SDK on node 24. Nothing is sent: the models are mocks or have a stubbed transport.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const sdkFolder = resolve(process.argv[2] ?? process.env.STRANDS_SDK ?? '.');
const node24 = process.argv[3] ?? process.env.NODE24 ?? process.execPath;
if (process.env.CTX_NODE === undefined) {
  const env = { ...process.env, CTX_NODE: process.execPath };
  const child = spawnSync(node24, [import.meta.filename, sdkFolder], { env, stdio: 'inherit' });
  process.exit(child.status ?? 1);
}

const CTX = process.env.CTX_BIN ?? join(import.meta.dirname, '../bin/ctx.js');
const RUNS = {
  truncate: ['--truncate', 'toolResults:blockThreshold=200,previewTokens=80'],
  summarize: ['--summarize', '*:preserveRecent=2'],
  drop: ['--drop', '*:preserveRecent=2'],
  media: ['--drop', 'media:preserveRecent=1'],
};
const PROMPT = 'One more question: which file was it?';
const ANSWER = 'It was report.py.';
const SNAPSHOT = 'session/shop/scopes/agent/helper/snapshots/snapshot_latest.json';
const HIDDEN = ['metadata', 'offloaded', 'trackingId'];
const PNG_HEADER = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ';

const require = createRequire(join(sdkFolder, 'package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { Agent, BedrockModel, ImageBlock, Model, SessionManager, TextBlock, tool } =
  await load('@strands-agents/sdk');
const manifest = join(require.resolve('@strands-agents/sdk'), '../../../package.json');
const { version } = JSON.parse(readFileSync(manifest));
const { LocalFileStorage } = await load('@strands-agents/sdk/storage');

/** Streams prepared answers and keeps a copy of every message list that it is given. */
class MockModel extends Model {
  calls = [];
  #answers;

  constructor(answers) {
    super();
    this.#answers = [...answers];
  }

  getConfig = () => ({ modelId: 'mock', contextWindowLimit: 200_000 });

  async *stream(messages) {
    const blocks = messages.flatMap(({ content }) => content);
    this.calls.push({ blocks, sent: JSON.parse(JSON.stringify(messages)) });
    const answer = this.#answers.shift() ?? [ANSWER];
    yield { type: 'modelMessageStartEvent', role: 'assistant' };
    for (const block of answer) {
      const use = typeof block === 'string' ? undefined : block;
      const start = use && { type: 'toolUseStart', name: use.name, toolUseId: use.id };
      yield { type: 'modelContentBlockStartEvent', ...(start && { start }) };
      const delta = use
        ? { type: 'toolUseInputDelta', input: JSON.stringify(use.input) }
        : { type: 'textDelta', text: block };
      yield { type: 'modelContentBlockDeltaEvent', delta };
      yield { type: 'modelContentBlockStopEvent' };
    }
    const calls = answer.some((block) => typeof block !== 'string');
    yield { type: 'modelMessageStopEvent', stopReason: calls ? 'toolUse' : 'endTurn' };
    const usage = { inputTokens: 9000, outputTokens: 50, totalTokens: 9050 };
    yield { type: 'modelMetadataEvent', usage };
  }
}

const lines = (name, count) =>
  Array.from({ length: count }, (_, at) => `${at + 1}: ${name} row ${at * 7} checked, sum ${at}`);
const readFile = tool({
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  callback: ({ path }) => {
    if (path === 'missing.py') throw new Error(lines('no such file', 60).join('\n'));
    return path.endsWith('.json') ? { rows: lines(path, 120) } : lines(path, 200).join('\n');
  },
});

function image() {
  const bytes = Buffer.from(PNG_HEADER, 'base64');
  bytes.writeUInt32BE(1200, 16); // The width; the height follows.
  bytes.writeUInt32BE(800, 20);
  return new ImageBlock({ format: 'png', source: { bytes } });
}
const read = (id, path) => ({ name: 'read_file', id, input: { path } });
const STORY = [
  [
    ['Find the wrong sum.'],
    ['I look at the log.', read('call_1', 'shop.log')],
    ['The log shows no fault.'],
  ],
  [
    ['Look at the sources. A screenshot:', image()],
    [read('call_2', 'sum.py'), read('call_3', 'report.py')],
    [`Both files round. ${lines('note', 40).join('; ')}`],
  ],
  [['And the old one?', image()], [read('call_4', 'missing.py')], ['It is not there.']],
  [['Compare the data.'], ['Data first.', read('call_5', 'data.json')], ['The data is right.']],
  [['So what is wrong?'], ['report.py rounds before it adds.']],
];

/** The SDK's own providers, each with a transport that keeps the request and then refuses. */
const PROVIDERS = {
  bedrock: (keep) => {
    const handle = async ({ body }) => keep(new TextDecoder().decode(body));
    const credentials = { accessKeyId: 'none', secretAccessKey: 'none' };
    const clientConfig = { credentials, requestHandler: { handle } };
    return new BedrockModel({ modelId: 'amazon.nova', region: 'us-east-1', clientConfig });
  },
  anthropic: async (keep) => {
    const { AnthropicModel } = await load('@strands-agents/sdk/models/anthropic');
    return new AnthropicModel({ modelId: 'claude', maxTokens: 1000, ...http(keep) });
  },
  openai: async (keep) => {
    const { OpenAIModel } = await load('@strands-agents/sdk/models/openai');
    return new OpenAIModel({ api: 'chat', modelId: 'gpt-4o', ...http(keep) });
  },
};
function http(keep) {
  const fetch = async (_url, { body }) => keep(body);
  return { apiKey: 'none', clientConfig: { fetch, maxRetries: 0 } };
}

let failed = 0;
const say = (text) => process.stdout.write(`${text}\n`);
function check(ok, text) {
  if (!ok) failed += 1;
  say(`  ${ok ? 'ok  ' : 'FAIL'} ${text}`);
}

const scratch = mkdtempSync(join(tmpdir(), 'check-strands-'));
try {
  say(`node ${process.version}, @strands-agents/sdk ${version}, ctx ${ctx('--version').out}`);
  const original = await makeSession(join(scratch, 'original'));
  for (const [name, spec] of Object.entries(RUNS)) await checkRun(name, spec, original);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
say(failed === 0 ? 'all checks passed' : `${failed} check(s) failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** A conversation of the real agent; its session manager writes the snapshot. */
async function makeSession(root) {
  const model = new MockModel(STORY.flatMap(([, ...answers]) => answers));
  const agent = newAgent(root, model);
  for (const [prompt] of STORY) {
    await agent.invoke(prompt.map((block) => (block.type ? block : new TextBlock(block))));
  }
  const file = join(root, SNAPSHOT);
  const [bytes, messages] = [readFileSync(file), messagesOf(file)];
  const kinds = new Set(messages.flatMap(({ content }) => content.flatMap(Object.keys)));
  say(`session: ${messages.length} messages, ${bytes.length} bytes, ${[...kinds].join(' ')}`);
  return { root, bytes, messages };
}

async function checkRun(name, spec, original) {
  const root = join(scratch, name);
  const file = join(root, SNAPSHOT);
  cpSync(original.root, root, { recursive: true });
  const run = ctx('compact', file, '--in-place', '--json', ...spec);
  const { before, after } = JSON.parse(run.out).tokens;
  const messages = messagesOf(file);
  const marked = blocksOf(messages).filter((block) => block.metadata?.offloaded);
  say(`\nctx compact ${spec.join(' ')}: ${before} -> ${after} tokens, ${messages.length} messages`);
  check(run.code === 0 && marked.length > 0, `${marked.length} markers (exit ${run.code})`);
  cpSync(root, `${root}-exact`, { recursive: true });
  const exact = join(`${root}-exact`, SNAPSHOT);
  ctx('restore', exact, '--in-place');
  check(readFileSync(exact).equals(original.bytes), 'ctx restore gives the first bytes back');
  await checkProviders(root, marked);
  await checkSent(root, messages);
  checkSaved(file, messages, marked);
  const again = ctx('compact', file, '--in-place', '--quiet', '--drop', '*:preserveRecent=2');
  const { placeholders } = JSON.parse(ctx('verify', file, '--json').out);
  check(again.code === 0, `ctx compact of the saved snapshot: ${placeholders} placeholders then`);
  await checkSent(root, messagesOf(file));
  await checkRestored(root, file, original);
}

/** The resumed agent gives its model the compacted messages and the new prompt. */
async function checkSent(root, messages) {
  const model = new MockModel([]);
  await newAgent(root, model).invoke(PROMPT);
  const [{ sent, blocks }] = model.calls;
  const same = isDeepStrictEqual(bare(sent), bare([...messages, message('user', PROMPT)]));
  check(same, `the model gets the compacted messages and the prompt: ${sent.length}`);
  check(!hasKey(blocks) && alternate(sent), 'their blocks hold no metadata, roles alternate');
}

/** What the SDK's own providers put on the wire. */
async function checkProviders(root, marked) {
  for (const [provider, make] of Object.entries(PROVIDERS)) {
    const bodies = [];
    const copy = `${root}-${provider}`;
    cpSync(root, copy, { recursive: true });
    try {
      const refuse = (body) => {
        bodies.push(JSON.parse(body));
        throw new Error('refused');
      };
      await newAgent(copy, await make(refuse)).invoke(PROMPT);
    } catch (cause) {
      if (cause.code === 'ERR_MODULE_NOT_FOUND') say(`  skip ${provider}: no client library`);
      else if (bodies.length !== 1) throw cause;
    }
    for (const { messages } of bodies) {
      const sent = JSON.stringify(messages);
      const all = marked.every(({ text }) => sent.includes(JSON.stringify(text).slice(1, -1)));
      const roles = provider === 'openai' || alternate(messages);
      check(all && roles && !hasKey(messages), `${provider} request: markers, no metadata, roles`);
    }
  }
}

/** The snapshot that the session manager wrote after the turn. */
function checkSaved(file, messages, marked) {
  const saved = messagesOf(file);
  const turn = [message('user', PROMPT), message('assistant', ANSWER)];
  check(isDeepStrictEqual(bare(saved), bare([...messages, ...turn])), 'saved: the same content');
  const left = blocksOf(saved);
  const texts = marked.filter(({ text }) => left.some((block) => block.text === text));
  const typed = left.filter((block) => block.metadata?.offloaded);
  check(texts.length === marked.length, `saved: ${texts.length} of ${marked.length} marker texts`);
  say(`  fact saved: ${typed.length} of ${marked.length} markers keep metadata.offloaded`);
  const { ok, placeholders, violations } = JSON.parse(ctx('verify', file, '--json').out);
  check(ok, `ctx verify of the saved snapshot: ${violations.length} violations`);
  check(placeholders === marked.length, `ctx knows ${placeholders} placeholders by its stash`);
  const refs = marked.map(({ metadata }) => metadata.offloaded.ref);
  const stash = ['--stash', `${file}.stash`];
  const got = refs.filter((ref) => ctx('retrieve', ref, ...stash).code === 0);
  check(got.length === refs.length, `ctx retrieve gives ${got.length} originals`);
}

/** Block by block, since the SDK wrote the file anew. */
async function checkRestored(root, file, { messages }) {
  const run = ctx('restore', file, '--in-place', '--json');
  const { how, lost } = JSON.parse(run.out);
  check(run.code === 0 && lost.length === 0, `ctx restore of the saved snapshot: ${how}`);
  const restored = messagesOf(file);
  const same = isDeepStrictEqual(restored.slice(0, messages.length), messages);
  check(same, 'every first message is back, ids and metadata too');
  check(restored.length === messages.length + 4, 'both new turns are kept');
  const model = new MockModel([]);
  await newAgent(root, model).invoke(PROMPT);
  const sent = model.calls[0].sent.slice(0, messages.length);
  check(isDeepStrictEqual(sent, messages), 'the SDK sends the restored messages');
}

function newAgent(root, model) {
  const storage = new LocalFileStorage(root);
  const sessionManager = new SessionManager({ sessionId: 'shop', storage });
  const systemPrompt = 'You are a careful engineer.';
  const tools = [readFile];
  return new Agent({ id: 'helper', model, tools, systemPrompt, printer: false, sessionManager });
}

function ctx(...args) {
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28 };
  const { status, stdout, stderr } = spawnSync(process.env.CTX_NODE, [CTX, ...args], options);
  if (status !== 0) say(`  ctx ${args[0]} (exit ${status}): ${stderr.trim()}`);
  return { code: status, out: stdout.trim() };
}

function messagesOf(file) {
  return JSON.parse(readFileSync(file)).data.messages;
}

/** Without what only a snapshot holds: ids and metadata. */
function bare(value) {
  return JSON.parse(JSON.stringify(value, (key, own) => (HIDDEN.includes(key) ? undefined : own)));
}

function message(role, text) {
  return { role, content: [{ text }] };
}

/** All blocks, those inside of tool results included. */
function blocksOf(messages) {
  return messages.flatMap(({ content }) =>
    content.flatMap((block) => [block, ...(block.toolResult?.content ?? [])]),
  );
}

function hasKey(value) {
  if (value === null || typeof value !== 'object') return false;
  return Object.keys(value).some((key) => HIDDEN.includes(key) || hasKey(value[key]));
}

function alternate(messages) {
  return messages.every(({ role }, at) => role === (at % 2 === 0 ? 'user' : 'assistant'));
}
