import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compact, type MemoryOptions, type Step } from '../../src/memory.ts';
import { Session, text, tokensOf } from '../masking/build.ts';
import { ctx, put, report, useFolder } from '../support/cli.ts';
import { holds } from '../support/holds.ts';
import { PNG } from '../support/session.ts';

useFolder();

const sample = (name: string) => readFileSync(new URL(`../../samples/${name}`, import.meta.url));

describe('message numbers', () => {
  const SELECTIONS: readonly MemoryOptions[] = [
    { selection: { to: 9 } },
    { selection: { from: 6 } },
    { selection: { from: 4, to: 12 } },
    { selection: { last: 12 } },
    { protect: [{ type: 'message', text: 'message:8-9', from: 8, to: 9 }] },
  ];
  const FILES = [
    'claude-code.jsonl',
    'codex.jsonl',
    'converse.json',
    'openai-chat.json',
    'pi.jsonl',
  ];

  it.each(FILES)('stay what they were in %s: a marker stands for its messages', async (name) => {
    for (const options of SELECTIONS)
      expect(
        (await holds(sample(name), [['drop', '*:preserveRecent=4']], options)).length,
      ).toBeGreaterThan(0);
  });

  it('are those of the first input in a report', async () => {
    const session = new Session().user('Go.');
    for (const label of ['a', 'b', 'c']) session.read(label, tokensOf(500, label));
    const { messages } = session.says('Done.').user('Thanks.').says('Bye.');
    const done = await session.compact([['drop', '*:preserveRecent=3']]);
    const again = await compact(done.bytes, {
      steps: ['lossless'],
      stash: done.stash ?? Buffer.of(),
    });
    const numbers = again.report.blocks.map(({ message }) => message);
    expect(numbers).toEqual([0, 1, messages.length - 3, messages.length - 2, messages.length - 1]);
  });
});

describe('a second run', () => {
  it('knows of a result whose text is gone that it had failed', async () => {
    const lines = [
      line('session_meta', { id: 's', cwd: '/shop', originator: 'codex_cli' }),
      said('user', 'input_text'),
    ];
    for (let at = 0; at < 6; at += 1) lines.push(...exchange(at, at === 5));
    lines.push(said('assistant', 'output_text'));
    const steps: Step[] = [
      ['drop', 'toolResultErrors'],
      ['drop', 'toolResults:preserveRecent=2'],
    ];
    const done = await holds(Buffer.from(lines.map((one) => `${one}\n`).join('')), steps);
    expect(done.toString('utf8').match(/\[Dropped: /g)?.length).toBe(4);
  });

  it('takes no dead block for a budget of what is sent', async () => {
    const steps: Step[] = [['truncate', 'toolResults:blockThreshold=100,previewTokens=40']];
    const options = { includeDead: true, targetTokens: { percent: 50 } } as const;
    const done = await compact(sample('claude-code.jsonl'), { steps, ...options });
    const taken = done.report.blocks.filter(({ action }) => action !== 'kept');
    expect(taken.every(({ live }) => live)).toBe(true);
    await holds(sample('claude-code.jsonl'), steps, options);
  });
});

function line(type: string, payload: unknown): string {
  return JSON.stringify({ timestamp: '2026-01-01T00:00:00.000Z', type, payload });
}

function said(role: string, type: string): string {
  return line('response_item', { type: 'message', role, content: [{ type, text: 'So.' }] });
}

/** A call and its result; a failure is in the text alone. */
function exchange(at: number, failed: boolean): string[] {
  const output = `Exit code: ${failed ? 1 : 0}\nWall time: 1 seconds\nOutput:\n${tokensOf(300, `word${at}`)}`;
  return [
    line('response_item', {
      type: 'function_call',
      name: 'shell',
      arguments: '{}',
      call_id: `c${at}`,
    }),
    line('response_item', { type: 'function_call_output', call_id: `c${at}`, output }),
  ];
}

describe('media', () => {
  const image = (data: string) => ({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data },
  });
  const shot = (...content: readonly unknown[]) => ({ name: 'Shot', input: {}, result: content });

  it('beside a text that begins with a bracket are counted right', async () => {
    const session = new Session()
      .user('Go.')
      .calls(shot(text('[INFO] taken'), image(PNG.toString('base64'))))
      .says('Done.');
    const ran = await ctx(['compact', put('s.json', session.bytes), '--media', 'keep=0', '--json']);
    expect(ran.code).toBe(0);
    expect(report(ran).blocks.filter(({ action }) => action === 'dropped').length).toBe(1);
  });
});

describe('figures', () => {
  it('add up where a removed message holds nothing', async () => {
    const session = new Session()
      .user('Go.')
      .replies()
      .read('a', tokensOf(500))
      .says('So.')
      .user('On.')
      .says('Done.');
    const done = await session.compact([['drop', '*:preserveRecent=1']]);
    const { blocks, tokens } = done.report;
    expect(blocks.reduce((sum, row) => sum + row.tokensAfter, tokens.overhead)).toBe(tokens.after);
    expect(done.bytes.toString('utf8')).toContain('[Dropped: 5 messages');
  });

  it('let a gap of media of unknown size be as large as its marker', async () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
    };
    const session = new Session().user('Go.').says('Hm.').shows(image, text('So.')).says('Done.');
    const file = put('s.json', session.bytes);
    const steps = ['--media', 'keep=0', '--drop', '*:preserveRecent=1', '--target-tokens', '1'];
    expect((await ctx(['compact', file, ...steps])).code).toBe(0);
  });
});
