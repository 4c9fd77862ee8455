import type { SummaryItem } from '../../src/summarize/summarizer.ts';
import { Dice } from './dice.ts';

export type CanaryKind = 'rule' | 'decision' | 'error' | 'path' | 'id' | 'number' | 'open';

interface Canary {
  readonly kind: CanaryKind;
  readonly line: string;
}

export interface Session {
  readonly items: readonly SummaryItem[];
  readonly canaries: readonly Canary[];
}

/** A made-up session of logs, listings and source files with lines worth keeping strewn into it. */
export function makeSession(seed: number, rounds: number): Session {
  const dice = new Dice(seed);
  const canaries: Canary[] = [];
  const items: SummaryItem[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const note = (kind: CanaryKind): string => {
      const line = CANARIES[kind](dice);
      canaries.push({ kind, line });
      return line;
    };
    items.push(
      item('user', 'text', ['Round: go on with the importer.', note('rule')], { real: true }),
      item('assistant', 'text', ['Let me look at the next file.', note('decision')]),
      item('assistant', 'toolCall', [`{"command":"run ${dice.name()} ${round}"}`]),
      item('user', 'toolResult', strew(dice, logLines(dice, 160), [note('error'), note('id')])),
      item('user', 'toolResult', strew(dice, sourceLines(dice, 120), [note('path')])),
      item('user', 'toolResult', strew(dice, listing(dice, 120), [note('number'), note('error')])),
      item('assistant', 'text', [note('open')]),
    );
  }
  return { items, canaries };
}

const CANARIES: Readonly<Record<CanaryKind, (dice: Dice) => string>> = {
  rule: (dice) =>
    dice.pick([
      `Never touch the ${dice.name()} table ${dice.number()}.`,
      `Only edit files under ${dice.name()}${dice.number()}.`,
      `my ${dice.name()} port is ${dice.number()}, stick with it`,
    ]),
  decision: (dice) =>
    dice.pick([
      `Decision: keep ${dice.name()} ${dice.number()} as it is.`,
      `We chose ${dice.name()} because ${dice.name()} cannot take ${dice.number()} writers.`,
      `Root cause: the ${dice.name()} lock ${dice.number()} was taken twice.`,
    ]),
  error: (dice) =>
    dice.pick([
      `TypeError: cannot read '${dice.name()}${dice.number()}'`,
      `ERROR ${dice.name()}: connection refused to ${dice.name()}-${dice.number()}`,
      `FAILED tests/test_${dice.name()}.py::test_${dice.number()} - assert 3 == 4`,
      `${dice.name()}.c:${dice.number()}:8: error: use of undeclared identifier`,
    ]),
  path: (dice) =>
    dice.pick([
      `/srv/${dice.name()}/${dice.name()}-${dice.number()}/prod.yaml`,
      `Wrote report to /var/lib/${dice.name()}/${dice.number()}.json`,
    ]),
  id: (dice) =>
    dice.pick([
      `Tracked as OPS-${dice.number()}`,
      `deployment id: dep_${dice.hex(12)}`,
      `commit ${dice.hex(40)}`,
    ]),
  number: (dice) =>
    dice.pick([
      `max_${dice.name()}=${dice.number()}`,
      `p99 ${dice.name()} latency = ${dice.number()} ms`,
    ]),
  open: (dice) =>
    dice.pick([
      `TODO: backfill ${dice.name()} ${dice.number()}`,
      `Next step: rerun ${dice.name()} ${dice.number()}.`,
    ]),
};

function logLines(dice: Dice, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const name = dice.name();
    const text = dice.pick([
      `GET /v1/${name}/${at} 200 in ${at % 90} ms`,
      `0 errors in window ${at}`,
      'heartbeat',
    ]);
    return `2026-03-02T10:${at % 60}:00.${at}Z INFO [${name}] ${text}`;
  });
}

function sourceLines(dice: Dice, count: number): string[] {
  const lines = Array.from({ length: count }, (_, at) => {
    const name = dice.name();
    return dice.pick([
      `    throw new Error('${name} failed: ' + ${name}${at});`,
      `  const ${name}${at} = load(${dice.name()}, ${at});`,
      `  } catch (error) {`,
      `  // on error the ${name} is closed, see ${name}.ts`,
      `import { ${name}${at} } from './${dice.name()}.ts';`,
    ]);
  });
  return lines.map((line, at) => `${at + 1}\t${line}`);
}

function listing(dice: Dice, count: number): string[] {
  const folder = dice.name();
  return Array.from({ length: count }, (_, at) =>
    dice.pick([
      `-rw-r--r-- 1 root root ${dice.number()} Nov 30 23:19 error.${at}.ts`,
      `./${folder}/${dice.name()}/${dice.name()}${at}.ts`,
      `test ${at} ok`,
    ]),
  );
}

function strew(dice: Dice, lines: readonly string[], canaries: readonly string[]): string[] {
  return canaries.reduce((all, line) => all.toSpliced(dice.below(all.length), 0, line), [...lines]);
}

function item(
  role: string,
  kind: string,
  lines: readonly string[],
  more: Partial<SummaryItem> = {},
): SummaryItem {
  return { role, kind, text: lines.join('\n'), real: false, ...more };
}
