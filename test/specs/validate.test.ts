import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../src/specs/parse.ts';
import type { Method } from '../../src/specs/spec.ts';
import { checkSpec } from '../../src/specs/validate.ts';
import { refusal } from './refusal.ts';

const KNOWN = { tokens: 200_000, assumed: false };
const ASSUMED = { tokens: 200_000, assumed: true };
const METHODS: readonly Method[] = ['drop', 'truncate', 'summarize'];
const OTHERS = [
  'toolResults',
  'toolResultErrors',
  'assistantText',
  'userText',
  'tool::Bash',
  '!tool::Bash',
];

function codes(method: Method, text: string, window: typeof KNOWN = KNOWN): string[] {
  return checkSpec(parseSpec(method, text), window).warnings.map(({ code }) => code);
}

describe.each(METHODS)('combination matrix of %s (section 3.1)', (method) => {
  const gates = ['contextUtilization=85%', 'contextUtilization=1000', 'preserveRecent=1'];
  const share = ['preserveRecent=1%', 'blockThreshold=2500,preserveRecent=1'];

  it.each(['*', 'media', ...OTHERS])('%s runs with a gate, unwarned', (target) => {
    for (const condition of [...gates, ...share])
      expect(codes(method, `${target}:${condition}`)).toEqual([]);
  });

  it.each(['*', ...OTHERS])('%s runs with blockThreshold alone, unwarned', (target) => {
    expect(codes(method, `${target}:blockThreshold=2500`)).toEqual([]);
    expect(codes(method, `${target}:blockThreshold=5%`)).toEqual([]);
    expect(codes(method, `${target}:blockThreshold=2500,preserveRecent=0`)).toEqual([]);
  });

  it.each(['*', '*:preserveRecent=0', '*:preserveRecent=0%'])(
    'F25: %s is refused, and the text says "above 0"',
    (text) => {
      const { message, hint } = refusal(() => checkSpec(parseSpec(method, text), KNOWN));
      expect(message).toContain(`--${method} '${text}'`);
      expect(hint).toBe('set contextUtilization, blockThreshold, or preserveRecent above 0');
    },
  );

  it.each([
    'media',
    'media:preserveRecent=0',
    'media:preserveRecent=0%',
    'media:blockThreshold=5%',
  ])('F25: %s is refused, and the text says "above 0"', (text) => {
    const { message, hint } = refusal(() => checkSpec(parseSpec(method, text), KNOWN));
    expect(message).toContain('that the model has not seen yet');
    expect(hint).toBe('set contextUtilization, or preserveRecent above 0');
  });

  it.each(OTHERS)('F4, F5: bare %s is warned about, with what it is going to do', (target) => {
    for (const text of [target, `${target}:preserveRecent=0`, `${target}:preserveRecent=0%`]) {
      const { warnings } = checkSpec(parseSpec(method, text), KNOWN);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]?.code).toBe('bare-strategy');
      expect(warnings[0]?.text).toContain(`--${method} '${text}' has no condition`);
      expect(warnings[0]?.text).toContain('every matching block outside the live end');
    }
  });
});

describe('checkSpec', () => {
  it('F4: says of each method what it does to a block', () => {
    const texts = METHODS.map(
      (method) => checkSpec(parseSpec(method, 'userText'), KNOWN).warnings[0]?.text ?? '',
    );
    expect(texts.map((text) => /it (\w+)/.exec(text)?.[1])).toEqual([
      'drops',
      'cuts',
      'summarizes',
    ]);
  });

  it('names a tool harmlessly in a warning', () => {
    const { warnings } = checkSpec(parseSpec('drop', 'tool::"\u001b[2J"'), KNOWN);
    expect(warnings[0]?.text).not.toMatch(/\p{Cc}/u);
  });

  it.each([
    ['toolResults:blockThreshold=0.5%', 1000, 1000],
    ['toolResults:blockThreshold=0.1%', 200, 1000],
    ['*:blockThreshold=1%,previewTokens=2000', 2000, 2000],
    ['toolResults:blockThreshold=1%,previewTokens=2001,contextUtilization=85%', 2000, 2001],
  ])('F16e: %s is checked once the share is tokens', (text, threshold, preview) => {
    const { message, hint } = refusal(() => checkSpec(parseSpec('truncate', text), KNOWN));
    expect(message).toContain(`${threshold} tokens`);
    expect(message).toContain('of 200000)');
    expect(message).toContain(`previewTokens=${preview}`);
    expect(hint).toBe('raise blockThreshold or lower previewTokens');
  });

  it('F16e: depends on the window, and names an assumed one', () => {
    const spec = parseSpec('truncate', 'toolResults:blockThreshold=0.5%');
    expect(checkSpec(spec, { tokens: 1_000_000, assumed: false }).warnings).toEqual([]);
    expect(refusal(() => checkSpec(spec, ASSUMED)).message).toContain('assumed window');
    expect(codes('truncate', 'toolResults:blockThreshold=0.51%')).toEqual([]);
    expect(codes('drop', 'toolResults:blockThreshold=0.1%')).toEqual([]);
  });

  it('checks a count too, for a spec that was built by hand', () => {
    const spec = {
      method: 'truncate',
      target: { type: 'toolResults' },
      blockThreshold: { count: 1000 },
    } as const;
    expect(refusal(() => checkSpec(spec, KNOWN)).message).toContain('not larger than');
  });

  it('refuses a token utilization above a known window', () => {
    const { message, hint } = refusal(() =>
      checkSpec(parseSpec('drop', '*:contextUtilization=200001'), KNOWN),
    );
    expect(message).toBe('contextUtilization=200001 is larger than the window of 200000 tokens');
    expect(hint).toContain('could never fire');
    expect(codes('drop', '*:contextUtilization=200000')).toEqual([]);
    expect(codes('drop', '*:contextUtilization=100%')).toEqual([]);
  });

  it('F10: above an assumed window it is a warning that prints the window', () => {
    const { warnings } = checkSpec(parseSpec('drop', '*:contextUtilization=200001'), ASSUMED);
    expect(warnings.map(({ code }) => code)).toEqual(['window-assumed']);
    expect(warnings[0]?.text).toContain('200000 tokens, which is assumed');
    expect(codes('drop', '*:contextUtilization=200000', ASSUMED)).toEqual([]);
    expect(codes('drop', '*:contextUtilization=85%', ASSUMED)).toEqual([]);
  });

  it('F24: a count that no window holds is said never to fire', () => {
    expect(codes('drop', '*:contextUtilization=1000000000', ASSUMED)).toEqual(['never-fires']);
    expect(codes('drop', '*:contextUtilization=10000001', ASSUMED)).toEqual(['never-fires']);
    expect(codes('drop', '*:contextUtilization=10000000', ASSUMED)).toEqual(['window-assumed']);
    refusal(() => checkSpec(parseSpec('drop', '*:contextUtilization=1000000000'), KNOWN));
  });
});
