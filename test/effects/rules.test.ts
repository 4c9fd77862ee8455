import { describe, expect, it } from 'vitest';
import { NO_RULES } from '../../src/effects/call.ts';
import { effectOf } from '../../src/effects/effect.ts';
import { globMatches } from '../../src/effects/glob.ts';
import { readManifest } from '../../src/effects/manifest.ts';
import { parseEffectFlag, parseObserve } from '../../src/effects/rules.ts';
import { refusal } from '../specs/refusal.ts';

describe('parseEffectFlag', () => {
  it.each([
    ['Bash=read', { tool: 'Bash', effect: 'read' }],
    ['mcp__a__b=write', { tool: 'mcp__a__b', effect: 'write' }],
    ['a=b=read', { tool: 'a=b', effect: 'read' }],
    [' x = read ', { tool: 'x', effect: 'read' }],
  ])('%s', (text, rule) => {
    expect(parseEffectFlag(text)).toEqual(rule);
  });

  it.each(['', 'Bash', '=read', 'Bash=', 'Bash=unknown', 'Bash=READ', 'Bash=read=', 'a\n=x'])(
    'refuses %j and says what to write',
    (text) => {
      const { message, hint } = refusal(() => parseEffectFlag(text));
      expect(message).toMatch(/^--effect .+$/);
      expect(hint).toMatch(/^write .+=read or .+=write$/);
    },
  );
});

describe('parseObserve', () => {
  it.each([
    ['Bash', { tool: 'Bash' }],
    ['Bash:npm test*', { tool: 'Bash', pattern: 'npm test*' }],
    ['Bash:a:b', { tool: 'Bash', pattern: 'a:b' }],
  ])('%s', (text, rule) => {
    expect(parseObserve(text)).toEqual(rule);
  });

  it.each(['', ':', ':npm', 'Bash:', 'Bash: '])('refuses %j', (text) => {
    const { hint } = refusal(() => parseObserve(text));
    expect(hint).toContain('TOOL:PATTERN');
  });
});

describe('globMatches', () => {
  it.each([
    ['npm test*', 'npm test', true],
    ['npm test*', 'npm test -- a', true],
    ['npm test*', 'xnpm test', false],
    ['npm test', 'npm test x', false],
    ['*', '', true],
    ['', 'a', false],
    ['a?c', 'a😀c', true],
    ['a?c', 'ac', false],
    ['*a*b', 'xaybzab', true],
    ['*a*b', 'xaybza', false],
    ['a.c', 'abc', false],
    ['[a]', 'a', false],
    ['a*b', 'a\nb', true],
  ])('%j on %j: %s', (pattern, text, expected) => {
    expect(globMatches(pattern, text)).toBe(expected);
  });

  it('takes no long time over many stars', () => {
    expect(globMatches('*a'.repeat(50), 'a'.repeat(20_000).concat('b'))).toBe(false);
  });
});

describe('--observe', () => {
  const by = (rule: string, tool: string, args: unknown): string =>
    effectOf({ tool, args }, { ...NO_RULES, observed: [parseObserve(rule)] }).by;

  it.each([
    ['npm test', 'observed'],
    ['npm test -- a', 'observed'],
    ['cd x && npm test 2>&1 | tail -5', 'observed'],
    ['npm test; npm test a', 'observed'],
    ['CI=1 npm test', 'none'],
    ['npm test; rm x', 'none'],
    ['npm test && npm publish', 'none'],
    ['npm test | tee x', 'none'],
    ['npm test > x', 'none'],
    ['npm test "$(rm x)"', 'none'],
    ['npm test &', 'none'],
    ['(npm test)', 'none'],
    ['npm test "', 'none'],
    ['npm run x', 'none'],
    ['ls', 'built-in'],
    ['', 'none'],
  ])('Bash:npm test* on %j is %s', (command, expected) => {
    expect(by('Bash:npm test*', 'Bash', { command })).toBe(expected);
  });

  it.each([
    ['Bash', 'Bash', { command: 'rm x' }, 'observed'],
    ['Bash', 'bash', { command: 'rm x' }, 'none'],
    ['Bash:npm test > log', 'Bash', { command: 'npm test > log' }, 'observed'],
    ['Bash:CI=1 npm test*', 'Bash', { command: 'CI=1 npm test a' }, 'observed'],
    ['Bash:*', 'Bash', 'npm test', 'none'],
    ['shell:npm test*', 'shell', { command: ['npm', 'test', '-s'] }, 'observed'],
    ['shell:npm test*', 'shell', { command: ['npm test', 'rm x'] }, 'none'],
    ['shell:npm test*', 'shell', { command: ['bash', '-lc', 'npm test; rm x'] }, 'none'],
    ['x:{"a":1*', 'x', { a: 1, b: 2 }, 'observed'],
    ['x:{"a":1', 'x', { a: 1, b: 2 }, 'none'],
    ['x:go?', 'x', 'go!', 'observed'],
    ['x:a*', 'x', undefined, 'none'],
  ])('%s on %s %j is %s', (rule, tool, args, expected) => {
    expect(by(rule, tool, args)).toBe(expected);
  });
});

describe('readManifest', () => {
  const tools = [
    { name: 'a', annotations: { readOnlyHint: true } },
    { name: 'b', annotations: { readOnlyHint: false, title: 'B' } },
    { name: 'c', annotations: {} },
    { name: 'd' },
  ];
  const expected = { a: 'read', b: 'write' };

  it.each([
    ['the result of tools/list', { tools, nextCursor: 'x' }, expected],
    ['the array in it', tools, expected],
    ['names', { a: 'read', b: 'write' }, expected],
    ['a tool named tools', { tools: 'read' }, { tools: 'read' }],
    ['one name with two hints', [tools[1], { ...tools[0], name: 'b' }], { b: 'write' }],
    ['the same the other way', [{ ...tools[0], name: 'b' }, tools[1]], { b: 'write' }],
    ['nothing', {}, {}],
  ])('takes %s', (_, value, found) => {
    expect(Object.fromEntries(readManifest(value))).toEqual(found);
  });

  it.each([
    ['null', null],
    ['text', 'read'],
    ['a number', 1],
    ['another effect', { a: 'unknown' }],
    ['an object of objects', { tools: { a: 'read' } }],
    ['a tool without a name', [{ annotations: { readOnlyHint: true } }]],
    ['a name that is no text', [{ name: 1 }]],
    ['a hint that is no boolean', [{ name: 'a', annotations: { readOnlyHint: 'true' } }]],
    ['an array of names', ['a']],
  ])('refuses %s and says what it takes', (_, value) => {
    const { message, hint } = refusal(() => readManifest(value));
    expect(message).toMatch(/^--tools: not a tool manifest: ./);
    expect(hint).toContain('{"tools": [...]}');
    expect(hint).toContain('"read"|"write"');
  });
});
