import fc from 'fast-check';
import type { Amount, StrategySpec, Target } from '../../src/specs/spec.ts';

const name = fc.oneof(
  fc.constantFrom('Bash', 'functions.x:0', 'a+b', '!x', 'q"uo\\te', 'media', 'tool::x', 'k=v,w'),
  fc.string({ minLength: 1, unit: 'binary' }),
);
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 4 });

const target: fc.Arbitrary<Target> = fc.oneof(
  fc
    .constantFrom(
      '*' as const,
      'toolResults' as const,
      'toolResultErrors' as const,
      'assistantText' as const,
      'userText' as const,
      'media' as const,
    )
    .map((type) => ({ type })),
  names.map((include) => ({ type: 'tools', include, exclude: [] }) as const),
  names.map((exclude) => ({ type: 'tools', include: [], exclude }) as const),
  fc
    .tuple(names, names)
    .filter(([include, exclude]) => include.some((one) => !exclude.includes(one)))
    .map(([include, exclude]) => ({ type: 'tools', include, exclude }) as const),
);

/** A count from `least`, or a share between the bounds in millionths of a percent. */
function amount(least: number, [from, to]: readonly [number, number]): fc.Arbitrary<Amount> {
  return fc.oneof(
    fc.integer({ min: least, max: 2_000_000 }).map((count) => ({ count })),
    fc.integer({ min: from, max: to }).map((millionths) => ({ percent: millionths / 1e6 })),
    fc.integer({ min: Math.ceil(from / 1e6), max: Math.floor(to / 1e6) }).map((percent) => ({
      percent,
    })),
  );
}

const threshold = amount(2001, [1, 99_999_999]);
const tokens = fc.integer({ min: 1, max: 2000 });

/** Specs that the command line accepts. */
export function anySpec(): fc.Arbitrary<StrategySpec> {
  const conditions = {
    blockThreshold: threshold,
    contextUtilization: amount(1000, [1, 100_000_000]),
    preserveRecent: amount(0, [0, 99_999_999]),
  };
  const preview = fc.constantFrom('head' as const, 'tail' as const, 'headTail' as const);
  const own = {
    drop: {},
    truncate: { previewTokens: tokens, preview },
    summarize: { summaryTokens: tokens },
  } as const;
  return anyMethod().chain((method) =>
    fc.record(
      { method: fc.constant(method), target, ...conditions, ...own[method] },
      { requiredKeys: ['method', 'target'] },
    ),
  ) as fc.Arbitrary<StrategySpec>;
}

/** Methods with a target of their own choice. */
export function anyMethod(): fc.Arbitrary<'drop' | 'truncate' | 'summarize'> {
  return fc.constantFrom('drop', 'truncate', 'summarize');
}

const SIGNS = ['tool::', '!', '+', ':', ',', '=', '"', '\\', '.', '-', ' ', '*', '\n', '\u001b[2J'];
const WORDS = ['toolResults', 'tool_results', 'media', 'Bash', 'constructor', '__proto__'];
const OPTIONS = ['blockThreshold', 'preserve-recent', 'threshold', 'preview', 'previewTokens'];
const VALUES = ['0', '1', '85', '0.85', '100%', '12.5%', '9'.repeat(21), '\ud83d', '😀'];

/** Text that is nearly a spec: pieces of the grammar, in any order. */
export function anyText(): fc.Arbitrary<string> {
  const piece = fc.constantFrom(...SIGNS, ...WORDS, ...OPTIONS, ...VALUES);
  return fc.oneof(
    fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.array(piece, { minLength: 1, maxLength: 6 }).map((all) => all.join('=').repeat(30)),
  );
}
