/** The generator of the quality benchmark: what its figures rest on. */

import { describe, expect, it } from 'vitest';

interface Canary {
  readonly kind: string;
  readonly core: string;
}
interface Session {
  readonly pieces: readonly string[];
  readonly canaries: readonly Canary[];
}
type Template = (g: unknown) => string;
interface Family {
  readonly name: string;
  readonly outputs: readonly Shape[];
  readonly talk: readonly Template[];
  readonly rules: readonly Template[];
  readonly narration: readonly Template[];
  readonly decisions: readonly Template[];
}
interface Shape {
  readonly line: Template;
  readonly says: Readonly<Record<string, readonly Template[]>>;
}

const { makeSession } = await bench<{
  makeSession: (family: Family, seed: number, rounds?: number) => Session;
}>('session.mjs');
const { census } = await bench<{
  census: (sessions: readonly Session[]) => { share: number };
}>('census.mjs');
const { HELD_OUT } = await bench<{ HELD_OUT: Family[] }>('families/held-out/index.mjs');
const { TUNING } = await bench<{ TUNING: Family[] }>('families/tuning/index.mjs');

describe.each([...HELD_OUT, ...TUNING])('family $name', (family) => {
  const session = makeSession(family, 3, 2);

  it('gives the same session for the same seed, and another one for another', () => {
    expect(makeSession(family, 3, 2)).toEqual(session);
    expect(makeSession(family, 4, 2).pieces).not.toEqual(session.pieces);
  });

  it('says the core of each canary once', () => {
    const text = session.pieces.join('');
    expect(session.canaries.length).toBeGreaterThan(50);
    for (const { core } of session.canaries) expect(text.split(core)).toHaveLength(2);
  });

  it('keeps canaries below 3 % of the tokens', () => {
    expect(census([session]).share).toBeLessThanOrEqual(0.03);
  });
});

describe('the two sets', () => {
  it('have neither a family nor a template in common', () => {
    const names = [...HELD_OUT, ...TUNING].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const tuned = new Set(TUNING.flatMap(templates));
    expect(HELD_OUT.flatMap(templates).filter((template) => tuned.has(template))).toEqual([]);
  });
});

/** The wording of each template: its source without the draws. */
function templates({ outputs, talk, rules, narration, decisions }: Family): string[] {
  const said = outputs.flatMap((shape) => [shape.line, ...Object.values(shape.says).flat()]);
  return [...said, ...talk, ...rules, ...narration, ...decisions].map((template) =>
    String(template).replaceAll(/\$\{[^}]*\}/g, '_'),
  );
}

/** The benchmark is plain JavaScript without types. */
function bench<T>(path: string): Promise<T> {
  return import(new URL(`../../bench/facts/${path}`, import.meta.url).href) as Promise<T>;
}
