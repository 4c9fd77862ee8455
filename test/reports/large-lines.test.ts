import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { indexTranscript } from '../../src/indexing/transcript.ts';
import { memorySource, type Source } from '../../src/load/source.ts';
import { NO_METER } from '../../src/measure/meter.ts';
import { NO_STASH } from '../../src/stash/placed.ts';
import { ctx, put, shaOf, useFolder } from '../support/cli.ts';
import { claude, claudeLines, longText, replyLine, userLine } from '../support/session.ts';

useFolder();

const MIB = 1 << 20;

/** A progress record that embeds a whole history. */
function progress(line: number, parent: number, bytes: number): string {
  const history = longText('history', 20)
    .repeat(Math.ceil(bytes / 600))
    .slice(0, bytes);
  return JSON.stringify({
    parentUuid: `5a3b1c00-0000-4000-8000-${String(parent).padStart(12, '0')}`,
    isSidechain: false,
    type: 'progress',
    uuid: `5a3b1c00-0000-4000-8000-${String(line).padStart(12, '0')}`,
    data: { type: 'agent_progress', normalizedMessages: [{ message: { content: history } }] },
  });
}

describe('large records', () => {
  it('progress that embeds the history leaves, and not one token with it (report 79)', async () => {
    const [user, ...rest] = claudeLines().slice(1);
    const file = put(
      's.jsonl',
      claude([user ?? '', progress(40, 1, MIB), progress(41, 1, MIB), ...rest]),
    );
    const ran = await ctx(['compact', file, '--ui-copies', '--json']);
    expect(JSON.parse(ran.out)).toMatchObject({ tokens: { saved: 0 } });
    expect(statSync('s.compact.jsonl').size).toBeLessThan(statSync(file).size - 2 * MIB);
    await ctx(['restore', 's.compact.jsonl', '-o', 'back.jsonl']);
    expect(shaOf('back.jsonl')).toBe(shaOf(file));
  });

  it('a single line of many megabytes is one record like any other (report 79)', async () => {
    const lines = [
      userLine(1, null, 'Go.'),
      progress(2, 1, 24 * MIB),
      replyLine(3, 2, 'm', { type: 'text', text: 'Done.' }),
    ];
    const ran = await ctx(['compact', put('s.jsonl', claude(lines)), '--ui-copies', '-q']);
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(readFileSync('s.compact.jsonl', 'utf8').split('\n').length).toBe(4);
    expect(statSync('s.compact.jsonl').size).toBeLessThan(10_000);
  });

  it('a file of lines is never one string, and is never held whole (report 83)', () => {
    const source = memorySource(claude(Array.from({ length: 400 }, () => claudeLines()).flat()));
    let most = 0;
    const watched: Source = {
      ...source,
      read(start, end) {
        most = Math.max(most, end - start);
        return source.read(start, end);
      },
      readInto(start, end, target, at) {
        most = Math.max(most, end - start);
        source.readInto(start, end, target, at);
      },
      hold() {
        throw new Error('the file is held');
      },
    };
    expect(source.size).toBeGreaterThan(10 * MIB);
    const { records } = indexTranscript(watched, claudeCode, {
      meter: NO_METER,
      placed: NO_STASH,
      id: 'main',
    });
    expect(records.count).toBeGreaterThan(5000);
    expect(most).toBeLessThan(source.size / 2);
  });
});
