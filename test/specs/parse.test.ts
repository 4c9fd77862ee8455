import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../src/specs/parse.ts';
import { anyMethod, anyText } from './arbitrary.ts';
import { outcome, refusal } from './refusal.ts';

describe('parseSpec', () => {
  it('reads the examples of the design', () => {
    expect(parseSpec('drop', 'toolResultErrors:preserveRecent=2')).toEqual({
      method: 'drop',
      target: { type: 'toolResultErrors' },
      preserveRecent: { count: 2 },
    });
    const text = 'tool::Bash+!tool::Read:blockThreshold=2500,previewTokens=750,preview=headTail';
    expect(parseSpec('truncate', text)).toEqual({
      method: 'truncate',
      target: { type: 'tools', include: ['Bash'], exclude: ['Read'] },
      blockThreshold: { count: 2500 },
      previewTokens: 750,
      preview: 'headTail',
    });
    expect(parseSpec('summarize', '*:contextUtilization=85%,preserveRecent=4')).toEqual({
      method: 'summarize',
      target: { type: '*' },
      contextUtilization: { percent: 85 },
      preserveRecent: { count: 4 },
    });
  });

  it('sets nothing that was not written', () => {
    expect(parseSpec('drop', 'media')).toStrictEqual({ method: 'drop', target: { type: 'media' } });
  });

  it.each([
    ['tool::Bash:blockThreshold=2500', 'Bash'],
    ['tool::mcp__srv__find:blockThreshold=2500', 'mcp__srv__find'],
    ['tool::mcp:srv:find:blockThreshold=2500', 'mcp:srv:find'],
    ['tool::functions.x:0:blockThreshold=2500', 'functions.x:0'],
    ['tool::"x:preview=a":blockThreshold=2500', 'x:preview=a'],
    [String.raw`tool::"x\":preview=a":blockThreshold=2500`, 'x":preview=a'],
  ])('options of %s begin at the first colon before NAME=', (text, name) => {
    expect(parseSpec('truncate', text)).toEqual({
      method: 'truncate',
      target: { type: 'tools', include: [name], exclude: [] },
      blockThreshold: { count: 2500 },
    });
  });

  it.each([
    ['toolResults:preserveRecent', 'the option preserveRecent has no value'],
    ['tool::Bash:preserve_recent', 'the option preserve_recent has no value'],
    ['tool::Bash:threshold', 'the option threshold has no value'],
    ['toolResults:', 'ends before its options'],
    ['tool::Bash:', 'ends before its options'],
  ])('%s is no tool name', (text, message) => {
    const refused = refusal(() => parseSpec('drop', text));
    expect(refused.message).toContain(message);
    expect(refused.hint).toContain('tool::"NAME"');
  });

  it('takes a tool that is called like an option', () => {
    const target = { type: 'tools', include: ['preview'], exclude: [] };
    expect(parseSpec('drop', 'tool::preview').target).toEqual(target);
    expect(parseSpec('drop', 'tool::"preview"').target).toEqual(target);
  });

  it('throws nothing but CtxError, in one line, whatever the text', () => {
    const parse = fc.property(anyMethod(), anyText(), (method, text) => {
      expect(outcome(() => parseSpec(method, text))).toBeDefined();
    });
    fc.assert(parse, { numRuns: 2000 });
  });

  it.each(['"', ':', '+', '!', 'a:', ',x', ':a=', '\\', '%', '-_', ':a'])(
    'takes linear time on a long run of %j',
    (unit) => {
      const start = performance.now();
      for (const text of [unit.repeat(100_000), `toolResults:x=${unit.repeat(100_000)}`])
        refusal(() => parseSpec('truncate', text));
      expect(performance.now() - start).toBeLessThan(2000);
    },
  );
});

describe('blockThreshold must exceed previewTokens in truncate (section 3.1)', () => {
  it.each([
    ['toolResults:blockThreshold=1001'],
    ['toolResults:blockThreshold=751,previewTokens=750'],
    ['toolResults:blockThreshold=1,previewTokens=0'],
    ['*:blockThreshold=1001'],
    ['toolResults:previewTokens=5000'],
    ['toolResults:blockThreshold=0.1%,previewTokens=5000'],
  ])('%s', (text) => {
    expect(parseSpec('truncate', text).method).toBe('truncate');
  });

  it.each([
    ['toolResults:blockThreshold=1000', 1000, 1000],
    ['toolResults:blockThreshold=999', 999, 1000],
    ['toolResults:blockThreshold=750,previewTokens=750', 750, 750],
    ['toolResults:previewTokens=751,blockThreshold=750', 750, 751],
    ['*:blockThreshold=1000', 1000, 1000],
  ])('refuses %s, naming both numbers', (text, threshold, preview) => {
    const { message, hint } = refusal(() => parseSpec('truncate', text));
    expect(message).toContain(`blockThreshold=${threshold}`);
    expect(message).toContain(`previewTokens=${preview}`);
    expect(message.endsWith('(the default)')).toBe(!text.includes('previewTokens'));
    expect(hint).toBe('raise blockThreshold or lower previewTokens');
  });

  it('does not concern the other methods', () => {
    expect(parseSpec('drop', 'toolResults:blockThreshold=1')).toBeDefined();
    expect(parseSpec('summarize', 'toolResults:blockThreshold=1')).toBeDefined();
  });
});
