import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFlag, formatSpec } from '../../src/specs/format.ts';
import { parseSpec } from '../../src/specs/parse.ts';
import { anyMethod, anySpec, anyText } from './arbitrary.ts';

describe('formatSpec', () => {
  it.each([
    ['truncate', 'toolResults:previewTokens=1000,blockThreshold=2500'],
    ['truncate', 'tool::Bash+!tool::Read:previewTokens=750,preview=head,blockThreshold=5%'],
    ['summarize', '*:summaryTokens=300,contextUtilization=85%,preserveRecent=4'],
    ['drop', 'tool::"functions.x:0":preserveRecent=0%'],
    ['drop', '!tool::Read'],
    ['drop', 'media'],
  ] as const)('%s %s is given back as it was written', (method, text) => {
    expect(formatSpec(parseSpec(method, text))).toBe(text);
  });

  it.each([
    ['drop', 'tool_results:preserve-recent=05', 'toolResults:preserveRecent=5'],
    ['drop', 'Bash+!Read', 'tool::Bash+!tool::Read'],
    ['drop', '"Bash"+Bash', 'tool::Bash'],
    [
      'truncate',
      'media:preview=head_tail,preserveRecent=1',
      'media:preview=headTail,preserveRecent=1',
    ],
  ] as const)('%s %s is normalised', (method, text, written) => {
    expect(formatSpec(parseSpec(method, text))).toBe(written);
  });

  it('round trip: what is written reads back as the same spec', () => {
    const property = fc.property(anySpec(), (spec) => {
      expect(parseSpec(spec.method, formatSpec(spec))).toEqual(spec);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it('round trip: whatever text is accepted comes to a form that stays', () => {
    const property = fc.property(anyMethod(), anyText(), (method, text) => {
      let spec: ReturnType<typeof parseSpec>;
      try {
        spec = parseSpec(method, text);
      } catch {
        return;
      }
      expect(parseSpec(method, formatSpec(spec))).toEqual(spec);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it('leaves the preset out', () => {
    expect(formatSpec({ method: 'drop', target: { type: 'media' }, preset: 'auto' })).toBe('media');
  });
});

describe('formatFlag', () => {
  it('quotes for a shell', () => {
    const spec = parseSpec('truncate', 'toolResults:blockThreshold=2500');
    expect(formatFlag(spec)).toBe("--truncate 'toolResults:blockThreshold=2500'");
    expect(formatFlag(parseSpec('drop', '*:preserveRecent=4'))).toBe("--drop '*:preserveRecent=4'");
  });

  it('is one word for a shell whatever the tool is called', () => {
    const property = fc.property(anySpec(), (spec) => {
      const word = formatFlag(spec).slice(`--${spec.method} `.length);
      expect(word.slice(1, -1).split("'\\''").join("'")).toBe(formatSpec(spec));
      expect(word.split("'\\''").join('')).toMatch(/^'[^']*'$/s);
    });
    fc.assert(property);
  });
});
