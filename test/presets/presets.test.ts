import { describe, expect, it } from 'vitest';
import { findPreset, PRESETS } from '../../src/presets/presets.ts';
import { formatSpec } from '../../src/specs/format.ts';
import { parseSpec } from '../../src/specs/parse.ts';
import { checkSpec } from '../../src/specs/validate.ts';
import { refusal } from '../specs/refusal.ts';

const NAMES = PRESETS.map(({ name }) => name);

describe('PRESETS (section 6)', () => {
  const steps: Readonly<Record<string, readonly string[]>> = {
    auto: [
      'truncate toolResults:previewTokens=750,blockThreshold=1500',
      'summarize *:contextUtilization=85%,preserveRecent=4',
    ],
    agentic: [
      'truncate toolResults:previewTokens=750,blockThreshold=8000',
      'summarize *:contextUtilization=100%,preserveRecent=4',
    ],
    proactiveSummarization: ['summarize *:contextUtilization=70%,preserveRecent=70%'],
    largeToolOffloading: ['truncate toolResults:previewTokens=1000,blockThreshold=2500'],
    overflowProtection: ['drop *:contextUtilization=100%,preserveRecent=4'],
    staleToolCleanup: ['drop toolResults:preserveRecent=5'],
    'observation-masking': [
      'mask observations:preserveRecentTurns=2,preserveRecentMessages=4,minObservationTokens=256,minTokensSaved=32,maxSourceTokens=8192,passes=auto',
    ],
    'observation-masking-agentic': [
      'mask observations:preserveRecentTurns=0,preserveRecentMessages=8,minObservationTokens=256,minTokensSaved=32,maxSourceTokens=none,passes=auto',
    ],
    'structured-summary': [
      'structured-summary observations:preserveRecentTurns=2,preserveRecentMessages=4,minObservationTokens=256,minTokensSaved=32,maxSourceTokens=8192,passes=auto,maxSummaryTokens=1024,fallback=mask',
    ],
    algorithmic: ['algorithmic observations:toolResultSizeThreshold=1024,maxToolPairs=10'],
    'native-history': [
      'native-history observations:preserveRecentTurns=2,preserveRecentMessages=4,minTokensSaved=32,maxSourceTokens=8192,maxSummaryTokens=1024,fallback=mask',
    ],
    lossless: ['superseded-reads', 'dedupe keep=newest', 'ui-copies'],
    lean: [
      'superseded-reads',
      'dedupe keep=newest',
      'ui-copies',
      'media keep=1',
      'drop toolResults:preserveRecent=10',
    ],
    archive: [
      'thinking keep=0',
      'media keep=0',
      'drop toolResults:preserveRecentTurns=1',
      'drop toolResultErrors:preserveRecentTurns=1',
      'drop assistantText:preserveRecentTurns=1',
      'ui-copies',
    ],
  };

  it('are these, by name', () => {
    expect(NAMES).toEqual(Object.keys(steps));
  });

  it.each(PRESETS)('$name has the numbers of the seed', ({ name, specs }) => {
    expect(specs.map((spec) => `${spec.method} ${formatSpec(spec)}`.trimEnd())).toEqual(
      steps[name],
    );
  });

  it.each(PRESETS)('$name marks its steps, and they are what its flags would give', (preset) => {
    for (const { preset: mark, ...spec } of preset.specs) {
      expect(mark).toBe(preset.name);
      expect(parseSpec(spec.method, formatSpec(spec))).toEqual(spec);
    }
  });

  it.each(PRESETS)('$name runs unwarned on any window', ({ specs }) => {
    for (const tokens of [8192, 200_000, 1_048_576]) {
      for (const assumed of [true, false])
        expect(specs.flatMap((spec) => checkSpec(spec, { tokens, assumed }).warnings)).toEqual([]);
    }
  });

  it('end with the emergency cut in auto, agentic and overflowProtection only', () => {
    const emergency = PRESETS.filter((preset) => preset.emergency).map(({ name }) => name);
    expect(emergency).toEqual(['auto', 'agentic', 'overflowProtection']);
  });

  it.each(PRESETS)('$name says what it does in one line', ({ summary }) => {
    expect(summary).toMatch(/^[^\n]{20,100}$/);
  });
});

describe('findPreset', () => {
  it.each(NAMES)('%s in each spelling', (name) => {
    const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    for (const spelling of [name, words.replaceAll(' ', '-'), words.replaceAll(' ', '_')])
      expect(findPreset(spelling).name).toBe(name);
  });

  it.each(['', 'x', 'constructor', '__proto__', 'toString', '\u001b[2J', 'y'.repeat(900)])(
    '%j is refused with the names',
    (name) => {
      const { message, hint } = refusal(() => findPreset(name));
      expect(message).toContain('no preset is named');
      expect(hint).toBe(`presets: ${NAMES.join(', ')}`);
    },
  );

  it.each([
    ['agentik', 'agentic'],
    ['autoo', 'auto'],
    ['stale_tool_clenup', 'staleToolCleanup'],
    ['overflow-protecton', 'overflowProtection'],
  ])('%s: did you mean %s', (name, guess) => {
    expect(refusal(() => findPreset(name)).hint).toContain(`did you mean ${guess}?`);
  });
});
