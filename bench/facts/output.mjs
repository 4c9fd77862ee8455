// The result of one tool call: many lines of one kind, with a few facts among them.

const KINDS = ['error', 'path', 'id', 'number', 'decision'];
/** Characters of a tool output for each fact in it; keeps the facts below 3 % of the tokens. */
const ROOM = 3_300;

/** @returns {{ tool: string, input: object, text: string, failed: boolean }} */
export function output(story) {
  const { g, family } = story;
  const shape = g.pick(family.outputs);
  const size = characters(g);
  const lines = [];
  for (let length = 0; length < size; ) {
    const line = shape.line(g, lines.length);
    lines.push(line);
    length += line.length + 1;
  }
  const said = facts(story, shape, size);
  for (const { text, place } of said.toReversed()) lines.splice(spot(g, place, lines), 0, text);
  const failed = shape.fails === true && said.some(({ kind }) => kind === 'error') && g.chance(0.3);
  const head = shape.head === undefined ? [] : [shape.head(g)];
  const foot = shape.foot === undefined ? [] : [shape.foot(g)];
  const all = [...(failed ? ['Exit code 1'] : []), ...head, ...lines, ...foot];
  return { ...call(g, shape), text: joined(shape, all), failed };
}

/** Sizes of real results: mostly some hundred to some thousand tokens, a few very large. */
function characters(g) {
  const roll = g.int(1, 100);
  if (roll <= 30) return g.int(1_400, 3_000);
  if (roll <= 80) return g.int(3_000, 6_000);
  if (roll <= 98) return g.int(6_000, 12_000);
  return g.int(30_000, 36_000);
}

function facts({ g, facts: known, where }, shape, size) {
  const wanted = size / ROOM;
  const count = Math.floor(wanted) + (g.chance(wanted % 1) ? 1 : 0);
  const kinds = KINDS.filter((kind) => shape.says[kind] !== undefined);
  return Array.from({ length: count }, () => {
    const kind = g.pick(kinds);
    const place = g.pick(['head', 'middle', 'tail']);
    return { kind, place, text: known.put(kind, shape.says[kind], place, where) };
  });
}

function spot(g, place, { length }) {
  if (place === 'head') return g.int(0, Math.ceil(length * 0.06));
  if (place === 'tail') return g.int(Math.floor(length * 0.94), length);
  return g.int(Math.floor(length * 0.25), Math.floor(length * 0.75));
}

function call(g, shape) {
  if (shape.tool === 'Read') return { tool: 'Read', input: { file_path: shape.file(g) } };
  if (shape.tool === 'Grep')
    return { tool: 'Grep', input: { pattern: shape.pattern(g), output_mode: 'content' } };
  return { tool: 'Bash', input: { command: shape.command(g), description: 'Run it' } };
}

/** A file that is read has line numbers; other outputs are as they are, some of them on one line. */
function joined(shape, parts) {
  if (shape.tool !== 'Read') return parts.join(shape.join ?? '\n');
  return parts
    .join('\n')
    .split('\n')
    .map((line, index) => `${index + 1}\t${line}`)
    .join('\n');
}
