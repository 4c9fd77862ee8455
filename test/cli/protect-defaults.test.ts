import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Session, text, tokensOf } from '../masking/build.ts';
import { ctx, errorLine, names, put, useFolder } from '../support/cli.ts';
import { outcome, protectedRows } from './outcome.ts';

/** What nobody has to ask for: rule files, what retrieval gave back, what a user wrote. And rules that are none. */

useFolder();

const RESULTS = ['--drop', 'toolResults'];
const EVERYTHING = ['--drop', '*:preserveRecent=1'];
const body = (label: string) => tokensOf(400, label);
const start = () => new Session().user('Go.');
const end = (session: Session) => session.says('Done.').user('And now?').says('Nothing.');

describe('rule files', () => {
  it.each([
    ['CLAUDE.md', 'CLAUDE.md'],
    ['/home/x/shop/CLAUDE.local.md', 'CLAUDE.local.md'],
    ['./AGENTS.md', 'AGENTS.md'],
    ['C:\\shop\\GEMINI.md', 'GEMINI.md'],
    ['app/.cursorrules', '.cursorrules'],
    ['.github/copilot-instructions.md', 'copilot-instructions.md'],
    ['QWEN.md', 'QWEN.md'],
    ['.windsurfrules', '.windsurfrules'],
    ['.clinerules', '.clinerules'],
    ['.goosehints', '.goosehints'],
  ])('%s that a tool read stays', async (path, name) => {
    const session = end(start().read(path, body('rules')).read('a.md', body('other')));
    const done = await outcome(session, RESULTS);
    expect(done.taken).toEqual(['r2']);
    expect(protectedRows(done)).toEqual({ r1: `rule file ${name}` });
  });

  it.each(['CLAUDE.md.bak', 'docs/CLAUDE.md/notes.txt', 'MYCLAUDE.md', 'claude.md', 'cursorrules'])(
    '%s is none',
    async (path) => {
      const done = await outcome(end(start().read(path, body('notes'))), RESULTS);
      expect(done.taken).toEqual(['r1']);
    },
  );

  it('a shell command that names one does not read it', async () => {
    const cat = { name: 'Bash', input: { command: 'cat CLAUDE.md' }, result: body('shell') };
    expect((await outcome(end(start().calls(cat)), RESULTS)).taken).toEqual(['r1']);
  });

  it.each(['CLAUDE.md', 'AGENTS.md', 'GEMINI.md', '.cursorrules'])(
    '%s that a client put beside a result stays, other text there goes',
    async (name) => {
      const injected = (label: string) => text(`Contents of ${label}:\n${body('injected')}`);
      const session = start()
        .calls({ name: 'Bash', result: 'ok', with: [injected(`/shop/${name}`)] })
        .calls({ name: 'Bash', result: 'ok', with: [injected('/shop/notes.md')] });
      const done = await outcome(end(session), ['--drop', 'userText']);
      expect(done.taken).toEqual(['t4']);
      expect(protectedRows(done)).toEqual({ t2: `rule file ${name}` });
    },
  );

  it('what a user typed of one is theirs to take', async () => {
    const session = start()
      .says('Yes?')
      .user(`Read CLAUDE.md.\n${body('typed')}`);
    expect((await outcome(end(session), ['--drop', 'userText'])).taken).toEqual(['t2']);
  });

  it('and its group stays when messages are removed', async () => {
    const session = start().read('CLAUDE.md', body('rules')).read('a.md', body('other'));
    const done = await outcome(end(session), EVERYTHING);
    expect(done.taken).toEqual(['c2', 'r2', 't5', 't6']);
    expect(protectedRows(done)).toEqual({
      c1: 'rule file CLAUDE.md',
      r1: 'rule file CLAUDE.md',
    });
  });
});

describe('results of retrieval tools', () => {
  it.each([
    ['retrieve_context', []],
    ['ctx_retrieve', []],
    ['ctx-retrieve', []],
    ['mcp__ctx__retrieve_context', []],
    ['my_retrieve_context', ['r1']],
    ['retrieve', ['r1']],
  ])('%s', async (name, taken) => {
    const session = () => end(start().calls({ name, result: body('original') }));
    expect((await outcome(session(), RESULTS)).taken).toEqual(taken);
    expect((await outcome(session(), ['--drop', `tool::${name}`])).taken).toEqual(taken);
    const done = await outcome(session(), EVERYTHING);
    const rows = taken.length === 0 ? { r1: 'retrieval results' } : {};
    expect(protectedRows(done)).toEqual(rows);
    expect(done.taken.includes('c1')).toBe(taken.length > 0);
  });
});

it.each<[string, readonly string[], boolean]>([
  ['toolResults', RESULTS, false],
  ['assistantText', ['--drop', 'assistantText'], false],
  ['every cleaner', ['--dedupe', '--thinking', '--media', '--whitespace-lines'], false],
  ['masking', ['--mask', 'preserveRecentTurns=0'], false],
  ['userText', ['--drop', 'userText'], true],
  ['*', EVERYTHING, true],
])('user text and %s', async (_name, steps, taken) => {
  const same = `${body('same')}\n\n\n\n\nend`;
  const session = end(start().says(same).user(same).says('Yes.').user(same));
  const done = await outcome(session, steps);
  expect(done.taken.filter((name) => name === 't2' || name === 't4')).toEqual(
    taken ? ['t2', 't4'] : [],
  );
});

it.each([
  '',
  'Skill',
  'tool:Skill',
  'tool::',
  'file:',
  'message:',
  'message:x',
  'message:-',
  'message:5-3',
  'message:3-4-5',
  'ref:',
  'ref:3f9a1',
  'ref:notahexref',
  'text:/(/',
  'text:/must/g',
  'text:/(?=a)/',
  'path:a.md',
])('the rule %j is refused with one line, and nothing is written', async (rule) => {
  const session = end(start().read('a', body('a')));
  put('s.json', session.bytes);
  const ran = await ctx(['compact', 's.json', ...RESULTS, '--protect', rule]);
  expect([ran.code, ran.out]).toEqual([2, '']);
  expect(errorLine(ran)).toMatch(/no (rule|range|pattern|ref)|unknown flag|range .* empty|list of/);
  expect(ran.err.trimEnd().split('\n')).toHaveLength(2);
  expect(names()).toEqual(['s.json']);
  expect(readFileSync('s.json').equals(session.bytes)).toBe(true);
});
