import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Format } from '../../src/formats/format.ts';
import { indexTranscript, type Transcript } from '../../src/indexing/transcript.ts';
import { memorySource } from '../../src/load/source.ts';
import { NO_METER } from '../../src/measure/meter.ts';
import { NO_STASH } from '../../src/stash/placed.ts';

const FORMATS = fileURLToPath(new URL('../../src/formats', import.meta.url));
const PAGE = readFileSync(new URL('../../docs/adding-a-format.md', import.meta.url), 'utf8');
const BLOCKS = [...PAGE.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-page-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The format that an example of the page exports. */
async function example(at: number, name: string): Promise<Format> {
  const file = join(folder, `${name}.ts`);
  writeFileSync(file, (BLOCKS[at] ?? '').replaceAll("from './", `from '${FORMATS}/`));
  const module = (await import(/* @vite-ignore */ file)) as Record<string, Format>;
  return module[name] as Format;
}

function read(format: Format, text: string): Transcript {
  const context = { meter: NO_METER, placed: NO_STASH, id: 'main' };
  return indexTranscript(memorySource(Buffer.from(text)), format, context);
}

describe('the page on adding a format', () => {
  it('has an example of a document that works', async () => {
    const format = await example(0, 'chatlog');
    const { conversations } = read(
      format,
      '{"chat":[{"who":"me","says":"Go."},{"who":"bot","says":"Yes."}]}',
    );
    expect(conversations[0]?.messages.map(({ role, real }) => [role, real])).toEqual([
      ['user', true],
      ['assistant', false],
    ]);
  });

  it('has an example of lines that works', async () => {
    const format = await example(1, 'botlog');
    const said = (by: string, text: string) =>
      `{"kind":"said","by":"${by}","content":[{"type":"text","text":"${text}"}]}\n`;
    const { conversations } = read(
      format,
      `${said('me', 'Go.')}{"kind":"forgot"}\n${said('me', 'Again.')}${said('bot', 'Yes.')}`,
    );
    const messages = conversations[0]?.messages.map(({ role, live }) => [role, live]);
    expect(messages).toEqual([
      ['user', false],
      ['user', true],
      ['assistant', true],
    ]);
  });
});
