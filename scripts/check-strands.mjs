// Shows with the published Strands TypeScript SDK that a compacted snapshot works.
//   node scripts/check-strands.mjs [<folder of the SDK> [<node 24 binary>]]
// or with STRANDS_SDK and NODE24 in the environment; docs/formats/strands.md says how to set both up.
// ctx runs on the node that starts this script, the SDK on node 24. Nothing leaves the machine: the
// models are a mock and the SDK's own providers with stubbed transports.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const self = fileURLToPath(import.meta.url);
const sdkFolder = resolve(process.argv[2] ?? process.env.STRANDS_SDK ?? '.');
const node24 = process.argv[3] ?? process.env.NODE24 ?? process.execPath;
if (process.env.CTX_NODE === undefined) {
  const env = { ...process.env, CTX_NODE: process.execPath };
  const child = spawnSync(node24, [self, sdkFolder], { env, stdio: 'inherit' });
  process.exit(child.status ?? 1);
}

const CTX = process.env.CTX_BIN ?? fileURLToPath(new URL('../bin/ctx.js', import.meta.url));
const RUNS = {
  truncate: ['--truncate', 'toolResults:blockThreshold=200,previewTokens=80'],
  summarize: ['--summarize', '*:preserveRecent=2'],
  drop: ['--drop', '*:preserveRecent=2'],
  media: ['--drop', 'media:preserveRecent=1'],
};
const PROMPT = 'One more question: which file was it?';
const ANSWER = 'It was report.py.';
const IDS = { sessionId: 'shop', agentId: 'helper' };
const SNAPSHOT = `session/${IDS.sessionId}/scopes/agent/${IDS.agentId}/snapshots/snapshot_latest.json`;
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const require = createRequire(join(sdkFolder, 'package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { Agent, BedrockModel, ImageBlock, Model, SessionManager, TextBlock, tool } =
  await load('@strands-agents/sdk');
const { LocalFileStorage } = await load('@strands-agents/sdk/storage');

/** Streams prepared answers and keeps a copy of every message list that it is given. */
class MockModel extends Model {
  calls = [];
  #answers;

  constructor(answers) {
    super();
    this.#answers = [...answers];
  }

  getConfig() {
    return { modelId: 'mock', contextWindowLimit: 200_000 };
  }

  async *stream(messages) {
    this.calls.push({ blocks: messages.flatMap(({ content }) => content), sent: plain(messages) });
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
const TOOLS = [
  tool({
    name: 'read_file',
    description: 'Reads a file.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    callback: ({ path }) => {
      if (path === 'missing.py') throw new Error(lines('no such file', 60).join('\n'));
      return path.endsWith('.json') ? { rows: lines(path, 120) } : lines(path, 200).join('\n');
    },
  }),
];
function image() {
  const bytes = Buffer.from(PNG, 'base64');
  bytes.writeUInt32BE(1200, 16); // The width: clients and ctx only read the header.
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
    [new TextBlock('Look at the sources. A screenshot:'), image()],
    [read('call_2', 'sum.py'), read('call_3', 'report.py')],
    [`Both files round. ${lines('note', 40).join('; ')}`],
  ],
  [
    [new TextBlock('And the old one?'), image()],
    [read('call_4', 'missing.py')],
    ['It is not there.'],
  ],
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
    const fetch = async (_url, { body }) => keep(body);
    const clientConfig = { fetch, maxRetries: 0 };
    const config = { modelId: 'claude', maxTokens: 1000, apiKey: 'none', clientConfig };
    return new AnthropicModel(config);
  },
  openai: async (keep) => {
    const { OpenAIModel } = await load('@strands-agents/sdk/models/openai');
    const fetch = async (_url, { body }) => keep(body);
    const clientConfig = { fetch, maxRetries: 0 };
    return new OpenAIModel({ api: 'chat', modelId: 'gpt-4o', apiKey: 'none', clientConfig });
  },
};

let failed = 0;
const say = (text) => process.stdout.write(`${text}\n`);
function check(ok, text) {
  if (!ok) failed += 1;
  say(`  ${ok ? 'ok  ' : 'FAIL'} ${text}`);
}

const scratch = mkdtempSync(join(tmpdir(), 'check-strands-'));
try {
  say(`node ${process.version}, @strands-agents/sdk ${sdkVersion()}, ctx ${ctx('--version').out}`);
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
  for (const [[first, ...rest]] of STORY) {
    await agent.invoke(rest.length === 0 ? first : [first, ...rest]);
  }
  const bytes = readFileSync(join(root, SNAPSHOT));
  const { messages } = JSON.parse(bytes).data;
  const kinds = new Set(messages.flatMap(({ content }) => content.flatMap(Object.keys)));
  say(`session: ${messages.length} messages, ${bytes.length} bytes, ${[...kinds].join(' ')}`);
  return { root, bytes, messages };
}

async function checkRun(name, spec, original) {
  const root = join(scratch, name);
  const file = join(root, SNAPSHOT);
  cpSync(original.root, root, { recursive: true });
  const run = ctx('compact', file, '--in-place', '--json', ...spec);
  const report = run.code === 0 ? JSON.parse(run.out) : undefined;
  const bytes = readFileSync(file);
  const { messages } = JSON.parse(bytes).data;
  const marked = blocksOf(messages).filter((block) => block.metadata?.offloaded);
  const tokens = report && `${report.tokens.before} -> ${report.tokens.after} tokens`;
  say(`\nctx compact ${spec.join(' ')}: ${tokens}, ${marked.length} markers`);
  check(run.code === 0 && marked.length > 0, `compacted (exit ${run.code})`);
  cpSync(root, `${root}-exact`, { recursive: true });
  const exact = join(`${root}-exact`, SNAPSHOT);
  ctx('restore', exact, '--in-place');
  check(readFileSync(exact).equals(original.bytes), 'restore gives the first bytes back');

  await checkSent(root, messages);
  await checkProviders(root, marked);
  checkSaved(file, messages, marked);
  await checkRestored(root, file, original);
}

/** The resumed agent gives its model the compacted messages and the new prompt. */
async function checkSent(root, messages) {
  const model = new MockModel([]);
  await newAgent(root, model).invoke(PROMPT);
  const [{ sent, blocks }] = model.calls;
  const expected = [...messages, { role: 'user', content: [{ text: PROMPT }] }].map(bare);
  check(isDeepStrictEqual(sent.map(bare), expected), `the model gets ${sent.length} messages`);
  check(!hasKey(blocks), 'no block of them has a key metadata or offloaded');
  check(alternate(sent), 'roles alternate');
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
      check(all, `${provider}: the request holds every marker`);
      check(!hasKey(messages), `${provider}: the request has no key metadata or offloaded`);
      if (provider !== 'openai') check(alternate(messages), `${provider}: roles alternate`);
    }
  }
}

/** The snapshot that the session manager wrote after the turn. */
function checkSaved(file, messages, marked) {
  const saved = JSON.parse(readFileSync(file)).data.messages;
  const expected = [...messages.map(bare), ...[PROMPT, ANSWER].map((text) => ({ text }))];
  const turn = saved.slice(messages.length).flatMap(({ content }) => content);
  const found = [...saved.slice(0, messages.length).map(bare), ...turn];
  check(isDeepStrictEqual(found, expected), `saved: ${saved.length} messages, the same texts`);
  const left = blocksOf(saved);
  const same = marked.filter(({ text }) => left.some((block) => block.text === text));
  const typed = left.filter((block) => block.metadata?.offloaded);
  check(same.length === marked.length, `saved: ${same.length} of ${marked.length} marker texts`);
  say(`  fact saved: ${typed.length} of ${marked.length} markers keep metadata.offloaded`);
  const run = ctx('verify', file, '--json');
  const { ok, placeholders, violations } = JSON.parse(run.out);
  const refs = new Set(marked.map(({ metadata }) => metadata.offloaded.ref));
  check(ok && run.code === 0, `ctx verify of the saved snapshot ${JSON.stringify(violations)}`);
  check(placeholders === marked.length, `ctx knows ${placeholders} placeholders by its stash`);
  const got = [...refs].filter(
    (ref) => ctx('retrieve', ref, '--stash', `${file}.stash`).code === 0,
  );
  check(got.length === refs.size, `ctx retrieve gives ${got.length} originals`);
}

/** Block by block, since the SDK wrote the file anew. */
async function checkRestored(root, file, original) {
  const run = ctx('restore', file, '--in-place', '--json');
  const { how, lost } = JSON.parse(run.out);
  check(run.code === 0 && lost.length === 0, `ctx restore of the saved snapshot: ${how}`);
  const { messages } = JSON.parse(readFileSync(file)).data;
  const old = messages.slice(0, original.messages.length);
  check(isDeepStrictEqual(old, original.messages), 'restore gives every first message back');
  check(messages.length === original.messages.length + 2, 'restore keeps the new turn');
  const model = new MockModel([]);
  await newAgent(root, model).invoke(PROMPT);
  const sent = model.calls[0].sent.slice(0, original.messages.length);
  check(isDeepStrictEqual(sent, original.messages), 'the SDK sends the restored messages');
}

function newAgent(root, model) {
  const sessionManager = new SessionManager({
    sessionId: IDS.sessionId,
    storage: new LocalFileStorage(root),
  });
  return new Agent({
    id: IDS.agentId,
    model,
    tools: TOOLS,
    systemPrompt: 'You are a careful engineer.',
    printer: false,
    sessionManager,
  });
}

function ctx(...args) {
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28 };
  const { status, stdout, stderr } = spawnSync(process.env.CTX_NODE, [CTX, ...args], options);
  if (status !== 0) say(`  ctx ${args[0]} (exit ${status}): ${stderr.trim()}`);
  return { code: status, out: stdout.trim() };
}

function sdkVersion() {
  const main = require.resolve('@strands-agents/sdk');
  return JSON.parse(readFileSync(join(main, '../../../package.json'))).version;
}

function plain(value) {
  return JSON.parse(JSON.stringify(value));
}

/** A message or block without what only a snapshot holds: ids and metadata. */
function bare(value) {
  if (Array.isArray(value)) return value.map(bare);
  if (value === null || typeof value !== 'object') return value;
  const { trackingId: _id, metadata: _metadata, ...rest } = value;
  return Object.fromEntries(Object.entries(rest).map(([key, own]) => [key, bare(own)]));
}

/** All blocks, those inside of tool results included. */
function blocksOf(messages) {
  return messages.flatMap(({ content }) =>
    content.flatMap((block) => [block, ...(block.toolResult?.content ?? [])]),
  );
}

function hasKey(value) {
  if (value === null || typeof value !== 'object') return false;
  return Object.entries(value).some(
    ([key, own]) => key === 'metadata' || key === 'offloaded' || hasKey(own),
  );
}

function alternate(messages) {
  return messages.every(({ role }, at) => role === (at % 2 === 0 ? 'user' : 'assistant'));
}
