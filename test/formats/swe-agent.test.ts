import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compact, compactFile, parseSpec, restore, restoreFile } from '../../src/index.ts';
import { bytesOf, groups, index, only, outline, results } from '../support/index.ts';
import { long, sweAgent } from '../support/trajectories.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-swe-agent-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each([true, false])('SWE-agent, function calling %s', (wrapped) => {
  const transcript = index(sweAgent(wrapped));
  const conversation = only(transcript);

  it('reads the history, where only the task is a real user turn', () => {
    expect(outline(conversation)).toEqual([
      'system: text+',
      'injected user: text+',
      'real user: text+',
      'assistant: text+ toolCall',
      'user: toolResult+',
      'assistant: text+ toolCall',
      'user: toolResult+',
    ]);
    expect(groups(conversation)).toEqual([0, 1, 2, 3, 3, 5, 5]);
    expect(conversation.model).toBe('gpt-4.1');
  });

  it('knows every prompt that repeats a result, and counts it once', () => {
    const [first, second] = results(conversation);
    const text = (place: { record: number; pointer: string }) => {
      const { source, records } = transcript;
      const value: unknown = JSON.parse(
        source.read(records.start(place.record), records.end(place.record)).toString(),
      );
      return (value as { content: string }).content;
    };
    expect(first?.also?.map((place) => [text(place), place.again])).toEqual([
      [long('first'), true],
      [long('first'), true],
    ]);
    expect(first?.tokens).toBe(long('first').length);
    expect(second?.also).toHaveLength(1);
  });

  it('replaces all of them, and restores byte for byte', async () => {
    const input = bytesOf(sweAgent(wrapped));
    const steps = [['truncate', 'toolResults:blockThreshold=200,previewTokens=50']] as const;
    const { bytes, stash, report } = await compact(input, { steps });
    expect(bytes.toString().match(/\[Truncated: /g)).toHaveLength(3);
    expect(report.blocks.filter(({ action }) => action === 'truncated')).toHaveLength(1);
    if (stash === null) throw new Error('nothing was stashed');
    expect(restore(bytes, stash).equals(input)).toBe(true);
  });

  it('restores every prompt of a file that was written anew', async () => {
    const input = join(folder, 'a.traj');
    const output = join(folder, 'b.traj');
    writeFileSync(input, bytesOf(sweAgent(wrapped)));
    const specs = [parseSpec('truncate', 'toolResults:blockThreshold=200,previewTokens=50')];
    await compactFile(input, { specs, output, now: '2026-01-01T00:00:00.000Z' });
    const anew = JSON.stringify(JSON.parse(readFileSync(output, 'utf8')), null, 1);
    writeFileSync(output, anew);
    const back = join(folder, 'c.traj');
    expect(restoreFile(output, { output: back }).how).toBe('blocks');
    expect(JSON.parse(readFileSync(back, 'utf8'))).toEqual(sweAgent(wrapped));
  });

  it('removes no message', async () => {
    await expect(
      compact(bytesOf(sweAgent(wrapped)), { steps: [['drop', '*:preserveRecent=1']] }),
    ).rejects.toMatchObject({ exitCode: 2 });
  });
});

it('pairs equal results with the prompts in their order', () => {
  const same = { role: 'user', content: long('same') };
  const action = { role: 'assistant', content: 'again', action: 'ls' };
  const history = [{ role: 'user', content: 'task' }, action, same, action, same];
  const step = (query: readonly object[]) => ({ action: 'ls', observation: '', query });
  const trajectory = [step(history.slice(0, 3)), step(history)];
  const conversation = only(index({ trajectory, history, info: {} }));
  expect(results(conversation).map(({ also }) => also?.length)).toEqual([2, 1]);
});
