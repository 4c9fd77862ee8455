import { describe, expect, it } from 'vitest';
import { isOptionName, parseOptions } from '../../src/specs/options.ts';
import type { Method } from '../../src/specs/spec.ts';
import { refusal } from './refusal.ts';

describe('parseOptions', () => {
  it.each([
    ['blockThreshold=5', { blockThreshold: { count: 5 } }],
    ['block_threshold=5', { blockThreshold: { count: 5 } }],
    ['block-threshold=5', { blockThreshold: { count: 5 } }],
    ['context_utilization=85%', { contextUtilization: { percent: 85 } }],
    ['context-utilization=85%', { contextUtilization: { percent: 85 } }],
    ['preserve_recent=4', { preserveRecent: { count: 4 } }],
    ['preview_tokens=0', { previewTokens: 0 }],
    ['preview-tokens=12', { previewTokens: 12 }],
    ['preview=head', { preview: 'head' }],
    ['preview=tail', { preview: 'tail' }],
    ['preview=headTail', { preview: 'headTail' }],
    ['preview=head_tail', { preview: 'headTail' }],
    ['preview=head-tail', { preview: 'headTail' }],
    [
      'preserveRecent=2,blockThreshold=9',
      { preserveRecent: { count: 2 }, blockThreshold: { count: 9 } },
    ],
  ])('truncate takes %s', (text, options) => {
    expect(parseOptions('truncate', text)).toEqual(options);
  });

  it('summarize takes summaryTokens, which is at least 1', () => {
    expect(parseOptions('summarize', 'summary_tokens=300')).toEqual({ summaryTokens: 300 });
    expect(refusal(() => parseOptions('summarize', 'summaryTokens=0')).hint).toContain(
      'at least 1',
    );
  });

  it.each(['-1', '1.5', '1e3', '', 'all', '10%', '9007199254740993', ' 1'])(
    'previewTokens=%s is refused',
    (value) => {
      const { message } = refusal(() => parseOptions('truncate', `previewTokens=${value}`));
      expect(message).toMatch(/^previewTokens=.* is no number of tokens$/);
    },
  );

  it.each(['', 'middle', 'constructor', '__proto__', 'HEAD TAIL', 'headTail '])(
    'preview=%j is refused with the accepted list',
    (value) => {
      const { hint } = refusal(() => parseOptions('truncate', `preview=${value}`));
      expect(hint).toBe('accepted: head, tail, headTail');
    },
  );

  it.each([
    ['threshold=5', 'blockThreshold'],
    ['Threshold=5', 'blockThreshold'],
    ['utilization=85%', 'contextUtilization'],
    ['threshold', 'blockThreshold'],
  ])('F46: the old name in %s is refused with the new one', (text, name) => {
    const { message, hint } = refusal(() => parseOptions('drop', text));
    expect(message).toContain(`is now ${name}`);
    expect(hint).toContain(`write ${name}=`);
  });

  it.each([
    ['utilisation=85%', ''],
    ['blockTreshold=5', 'did you mean blockThreshold?'],
    ['block_tresholds=5', 'did you mean blockThreshold?'],
    ['preserverecnt=5', 'did you mean preserveRecent?'],
    ['preserveRecently=5', 'did you mean preserveRecent?'],
    ['previewToken=5', 'did you mean previewTokens?'],
    ['recent=5', ''],
    ['constructor=5', ''],
    ['__proto__=5', ''],
    ['toString=5', ''],
    [' preserveRecent=5', 'did you mean preserveRecent?'],
    ['block__threshold=5', 'did you mean blockThreshold?'],
  ])('refuses the unknown key in %s with the accepted list', (text, guess) => {
    const { message, hint } = refusal(() => parseOptions('truncate', text));
    expect(message).toContain('unknown option');
    expect(hint).toContain(
      'blockThreshold, contextUtilization, preserveRecent, preserveRecentTurns, previewTokens, preview',
    );
    expect(hint.includes('did you mean')).toBe(guess !== '');
    expect(hint).toContain(guess);
  });

  it.each([
    ['drop', 'previewTokens=5', 'truncate'],
    ['drop', 'preview=head', 'truncate'],
    ['summarize', 'preview_tokens=5', 'truncate'],
    ['drop', 'summaryTokens=5', 'summarize'],
    ['truncate', 'summary-tokens=5', 'summarize'],
  ] as const)('--%s has no %s', (method: Method, text, owner) => {
    const { message } = refusal(() => parseOptions(method, text));
    expect(message).toContain(`is an option of --${owner}, not of --${method}`);
  });

  it.each([
    ['preserveRecent', 'preserveRecent has no value'],
    ['preserveRecent=2,', 'an option has no name'],
    ['preserveRecent=2,,blockThreshold=5', 'an option has no name'],
    ['=5', 'an option has no name'],
    ['blockThreshold=2,500', '500 has no value'],
    ['preserveRecent=', 'preserveRecent="" is no amount'],
    ['preserveRecent=2=3', 'preserveRecent=2=3 is no amount'],
    ['preserveRecent=2,preserveRecent=2', 'preserveRecent is given twice'],
    ['preserveRecent=2,preserve_recent=3', 'preserveRecent is given twice'],
  ])('refuses %s', (text, message) => {
    expect(refusal(() => parseOptions('drop', text)).message).toContain(message);
  });
});

describe('isOptionName', () => {
  it.each(['preserveRecent', 'preserve-recent', 'summaryTokens', 'preview', 'threshold'])(
    '%s is one',
    (word) => {
      expect(isOptionName(word)).toBe(true);
    },
  );

  it.each(['', 'Bash', 'constructor', '0', 'prev'])('%j is none', (word) => {
    expect(isOptionName(word)).toBe(false);
  });
});
