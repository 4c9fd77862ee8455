import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shown } from '../../src/specs/shown.ts';

describe('shown', () => {
  it.each([
    ['', '""'],
    ['toolResults', 'toolResults'],
    ['a\nb', String.raw`a\x0ab`],
    ['\u001b[2J', String.raw`\x1b[2J`],
    ['a\u2028b', String.raw`a\u2028b`],
    ['\ud83d', String.raw`\ud83d`],
    ['😀'.repeat(60), '😀'.repeat(60)],
    ['😀'.repeat(61), `${'😀'.repeat(59)}…`],
    ['x'.repeat(1e6), `${'x'.repeat(59)}…`],
  ])('%j', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it('is one harmless line of at most 60 characters', () => {
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(shown(text)).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029]/u);
      expect(Array.from(shown(text)).length).toBeLessThanOrEqual(60);
    });
    fc.assert(property);
  });
});
