// How much of sessions is canaries, and of which kinds they are.
import { createCounter } from '../../dist/measure/counters.js';
import { KINDS } from './canary.mjs';

/** Tokens of everything that is sent against those of the lines that hold a canary. */
export function census(sessions) {
  const counter = createCounter('o200k_base');
  const count = (texts) => texts.reduce((total, text) => total + counter.count(text), 0);
  const tokens = count(sessions.flatMap(({ pieces }) => pieces.flatMap(sentTexts)));
  const all = sessions.flatMap(({ canaries }) => canaries);
  const counts = Object.fromEntries(
    KINDS.map((kind) => [kind, all.filter((canary) => canary.kind === kind).length]),
  );
  return { tokens, counts, share: count(all.map(({ line }) => line)) / tokens };
}

function sentTexts(piece) {
  return piece
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const { content } = JSON.parse(line).message;
      if (typeof content === 'string') return [content];
      return content.map((block) => block.text ?? block.content ?? JSON.stringify(block.input));
    });
}
