import { describe, expect, it } from 'vitest';
import { parse, type Step } from '../../src/index.ts';
import { run } from '../support/run.ts';
import {
  assistant,
  BUILDERS,
  call,
  failed,
  filler,
  png,
  result,
  strandsTs,
  thinking,
  user,
} from '../support/transcripts.ts';

const long = (name: string) => filler(100, name);

/** One block of every kind behind the head and before the last message, named. */
function everyKind(): { bytes: Buffer; names: readonly string[] } {
  const image = { image: png(750, 100) };
  const document = { document: { text: long('paper') } };
  const value = JSON.parse(
    strandsTs([
      user([{ text: 'task' }]),
      thinking(long('thought')),
      assistant(long('said')),
      call('bash', 'Bash', { command: long('c') }),
      call('read', 'Read'),
      call('shot', 'Shot'),
      call('back', 'retrieve_context'),
      result('bash', long('bash')),
      failed('read', long('read')),
      result('shot', [{ text: long('shot') }, image]),
      result('back', long('back')),
      result('ghost', long('ghost')),
      assistant([{ text: long('then') }, image]),
      user([{ text: long('asked') }, { text: ' \n ' }, image, document]),
      assistant('ok'),
      user('last'),
    ]).toString(),
  );
  const extra = [
    { cachePoint: { cacheType: 'default' } },
    { guardContent: { text: { text: long('guard'), qualifiers: ['query'] } } },
    { citations: { citations: [{ title: long('cited') }], content: [{ text: long('quote') }] } },
    { video: { format: 'mp4', source: { bytes: 'AAAA' } } },
    { audio: { format: 'wav', source: { bytes: 'AAAA' } } },
  ];
  value.data.messages[4].content.push(...extra);
  const names = [
    'head',
    'thinking',
    'assistant text',
    'call',
    'call',
    'call',
    'call',
    'success',
    'error',
    'success with image',
    'retrieval',
    'unknown call',
    'assistant text',
    'assistant image',
    'user text',
    'blank text',
    'image',
    'document',
    'cachePoint',
    'guardContent',
    'citations',
    'video',
    'audio',
    'assistant ok',
    'last',
  ];
  return { bytes: Buffer.from(JSON.stringify(value)), names };
}

const SUCCESS = ['success', 'success with image', 'unknown call'];
const MEDIA = ['assistant image', 'image', 'document', 'video', 'audio'];
const TAKEN: readonly (readonly [target: string, taken: readonly string[]])[] = [
  ['toolResults', SUCCESS],
  ['toolResultErrors', ['error']],
  ['assistantText', ['assistant text', 'assistant text']],
  ['userText', ['user text']],
  ['media', MEDIA],
  ['tool::Bash', ['success']],
  ['Bash+Read', ['success', 'error']],
  ['tool::Bash+tool::Read+!tool::Bash', ['error']],
  ['Bash+!Shot', ['success']],
  ['!Bash', ['error', 'success with image']],
  ['!tool::Bash+!tool::Shot', ['error']],
  ['tool::Other', []],
  ['tool::bash', []],
];

describe('targets', () => {
  const { bytes, names } = everyKind();

  it('the session has one block for each name', () => {
    expect(parse(bytes).conversations[0]?.blocks).toHaveLength(names.length);
  });

  it.each(TAKEN)('drop %s takes %j and nothing else', async (target, taken) => {
    const steps: Step[] = [['drop', `${target}:contextUtilization=1%`]];
    const { report } = await run(bytes, steps, { window: 10_000 });
    const acted = report.blocks.filter((row) => row.action !== 'kept');
    expect(acted.map((row) => names[row.index])).toEqual(taken);
    // Every other block says why it is kept.
    expect(report.blocks.every((row) => row.reason !== '')).toBe(true);
  });

  it.each([
    ['toolResults', ['success', 'success with image', 'unknown call']],
    ['toolResultErrors', ['error']],
    ['assistantText', ['assistant text', 'assistant text']],
    ['userText', ['user text']],
    ['media', MEDIA],
    ['!Bash', ['error', 'success with image']],
  ])('truncate %s takes %j and nothing else', async (target, taken) => {
    const steps: Step[] = [['truncate', `${target}:contextUtilization=1%,previewTokens=5`]];
    const { report } = await run(bytes, steps, { window: 10_000 });
    const acted = report.blocks.filter((row) => row.action !== 'kept');
    expect(acted.map((row) => names[row.index])).toEqual(taken);
  });

  it('* works on whole messages: no block inside one is taken alone', async () => {
    const { report } = await run(bytes, [['drop', '*:blockThreshold=1']]);
    const actions = new Map<number | null, Set<string>>();
    for (const row of report.blocks)
      actions.set(row.message, (actions.get(row.message) ?? new Set()).add(row.action));
    expect([...actions.values()].every((found) => found.size === 1)).toBe(true);
    expect([...actions.values()].some((found) => found.has('removed'))).toBe(true);
  });

  it('an unknown error flag counts as success', async () => {
    const turns = [
      user('task'),
      call('t1', 'Bash'),
      result('t1', `Error: ${long('r')}`),
      assistant('a'),
      user('z'),
    ];
    for (const build of [BUILDERS['openai-chat'], BUILDERS.codex]) {
      expect((await run(build(turns), [['drop', 'toolResultErrors']])).stash).toBeNull();
      expect((await run(build(turns), [['drop', 'toolResults']])).stash).not.toBeNull();
    }
  });

  it('toolResults and toolResultErrors divide the results of a format that knows', async () => {
    const turns = [
      user('task'),
      call('t1', 'Bash'),
      failed('t1', long('bad')),
      call('t2', 'Bash'),
      result('t2', long('good')),
      assistant('a'),
      user('z'),
    ];
    for (const name of ['claude-code', 'anthropic', 'converse', 'strands-ts'] as const) {
      const ids = async (target: string) => {
        const { report } = await run(BUILDERS[name](turns), [['drop', target]]);
        return report.blocks.filter((row) => row.action !== 'kept').map((row) => row.callId);
      };
      expect(await ids('toolResultErrors')).toEqual(['t1']);
      expect(await ids('toolResults')).toEqual(['t2']);
      expect(await ids('tool::Bash')).toEqual(['t1', 't2']);
    }
  });
});
