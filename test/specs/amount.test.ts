import { describe, expect, it } from 'vitest';
import { type Condition, formatAmount, parseAmount } from '../../src/specs/amount.ts';
import type { Amount } from '../../src/specs/spec.ts';
import { refusal } from './refusal.ts';

const SIGNS = ['-5%', '-5', '-0', '+5', '%', 'abc%', '%5', '5%%', '.5%', '5.%', '5％', '1.', '.'];
const SPACES = ['', ' 5 %', '5 %', ' 5', '5 ', '5\n', '\u001b[2J'];
const NUMBERS = ['1e3', '0x10', '2,500', '2_500', 'NaN', 'Infinity', 'true', '٣', '0.0000001%'];
const STRANGE = [...SIGNS, ...SPACES, ...NUMBERS];

describe('parseAmount', () => {
  const accepted: readonly (readonly [Condition, string, Amount])[] = [
    ['blockThreshold', '1', { count: 1 }],
    ['blockThreshold', '2500', { count: 2500 }],
    ['blockThreshold', '007', { count: 7 }],
    ['blockThreshold', '5%', { percent: 5 }],
    ['blockThreshold', '12.5%', { percent: 12.5 }],
    ['blockThreshold', '0.000001%', { percent: 0.000001 }],
    ['blockThreshold', '99.9%', { percent: 99.9 }],
    ['contextUtilization', '1000', { count: 1000 }],
    ['contextUtilization', '85%', { percent: 85 }],
    ['contextUtilization', '100%', { percent: 100 }],
    ['preserveRecent', '0', { count: 0 }],
    ['preserveRecent', '0%', { percent: 0 }],
    ['preserveRecent', '4', { count: 4 }],
    ['preserveRecent', '70%', { percent: 70 }],
  ];
  it.each(accepted)('%s=%s', (name, text, amount) => {
    expect(parseAmount(name, text)).toEqual(amount);
  });

  const refused: readonly (readonly [Condition, string, string])[] = [
    ['blockThreshold', '0', 'write at least 1'],
    ['blockThreshold', '0%', 'above 0% and below 100%'],
    ['blockThreshold', '0.0%', 'above 0%'],
    ['blockThreshold', '100%', 'below 100%'],
    ['blockThreshold', '105%', 'below 100%'],
    ['contextUtilization', '0', 'at least 1000'],
    ['contextUtilization', '999', 'at least 1000'],
    ['contextUtilization', '80', 'write "80%"'],
    ['contextUtilization', '1', '"100%"'],
    ['contextUtilization', '0%', 'above 0% and up to 100%'],
    ['contextUtilization', '105%', 'up to 100%'],
    ['contextUtilization', '100.000001%', 'up to 100%'],
    ['preserveRecent', '100%', 'from 0% and below 100%'],
  ];
  it.each(refused)('%s=%s is out of range', (name, text, hint) => {
    const { message, ...rest } = refusal(() => parseAmount(name, text));
    expect(message).toContain(`${name}=${text}`);
    expect(rest.hint).toContain(hint);
  });

  it.each([
    ['contextUtilization', '0.85', 'write "85%"'],
    ['contextUtilization', '.5', 'write "50%"'],
    ['contextUtilization', '1.0', 'write "100%"'],
    ['contextUtilization', '0.0', 'or a share such as "50%"'],
    ['blockThreshold', '0.05', 'write "5%"'],
    ['blockThreshold', '0.29', 'write "29%"'],
    ['blockThreshold', '2500.0', 'write 2500'],
    ['blockThreshold', '1.0', 'write 1'],
    ['blockThreshold', '12.5', 'for a share write "12.5%"'],
    ['blockThreshold', '2500.5', 'write a whole number of tokens'],
    ['preserveRecent', '0.7', 'write "70%"'],
    ['preserveRecent', '1.0', 'write 1'],
  ] as const)('%s=%s: decimals are refused with what to write', (name, text, hint) => {
    const { message, ...rest } = refusal(() => parseAmount(name, text));
    expect(message).toContain('decimals are not accepted');
    expect(rest.hint).toContain(hint);
  });

  it.each(['blockThreshold', 'contextUtilization', 'preserveRecent'] as const)(
    '%s follows its own advice: what a hint tells to write is accepted',
    (name) => {
      const texts = ['0.85', '1.0', '0.0', '85.5', '2500.0', '0.0000001', '0.5', '0.999999999'];
      const hints = texts.map((text) => refusal(() => parseAmount(name, text)).hint);
      const advice = hints.flatMap((hint) => /write "?([\d.]+%?)"?$/.exec(hint)?.[1] ?? []);
      expect(advice.length).toBeGreaterThan(2);
      for (const text of advice) expect(parseAmount(name, text)).toBeDefined();
    },
  );

  it.each(STRANGE)('%j is no amount of anything', (text) => {
    for (const name of ['blockThreshold', 'contextUtilization', 'preserveRecent'] as const) {
      const { message } = refusal(() => parseAmount(name, text));
      expect(message).toMatch(/is no amount$/);
    }
  });

  it('names a number of any length in one short line', () => {
    for (const text of ['9'.repeat(400), `${'9'.repeat(400)}%`, `${'9'.repeat(400)}.5`]) {
      const { message } = refusal(() => parseAmount('blockThreshold', text));
      expect(message.length).toBeLessThan(120);
      expect(message).not.toMatch(/Infinity|e\+/);
    }
    const { message } = refusal(() => parseAmount('preserveRecent', '9007199254740993'));
    expect(message).toContain('too large');
  });
});

describe('formatAmount', () => {
  it.each([
    [{ count: 2500 }, '2500'],
    [{ percent: 85 }, '85%'],
    [{ percent: 12.5 }, '12.5%'],
    [{ percent: 0.000001 }, '0.000001%'],
    [{ percent: 0 }, '0%'],
  ])('%j is %s', (amount, text) => {
    expect(formatAmount(amount)).toBe(text);
  });
});
