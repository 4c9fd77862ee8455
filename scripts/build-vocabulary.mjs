// Writes dist/vocabulary/<name>.bin from the rank data of the devDependency tiktoken.
// Format: two 32-bit little-endian numbers (token count, pool length), one length byte a token,
// then the bytes of all tokens in rank order (ranks are contiguous, so the rank is the position).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const target = new URL('../dist/vocabulary/', import.meta.url);
const require = createRequire(import.meta.url);

mkdirSync(target, { recursive: true });
const sizes = ['o200k_base', 'cl100k_base'].map((name) => {
  const encoder = JSON.parse(readFileSync(require.resolve(`tiktoken/encoders/${name}.json`)));
  const file = pack(name, readTokens(name, encoder.bpe_ranks));
  writeFileSync(new URL(`${name}.bin`, target), file);
  return `${name} ${file.length} bytes`;
});
process.stdout.write(`vocabulary: ${sizes.join(', ')}\n`);

/** Lines of `! <first rank> <base64 token> ...`; the ranks of a line follow one another. */
function readTokens(name, text) {
  const tokens = [];
  for (const line of text.split('\n')) {
    const [marker, first, ...words] = line.split(' ');
    if (marker !== '!') continue;
    if (Number(first) !== tokens.length) throw new Error(`${name}: ranks are not contiguous`);
    for (const word of words) tokens.push(Buffer.from(word, 'base64'));
  }
  return tokens;
}

function pack(name, tokens) {
  const header = Buffer.alloc(8);
  const lengths = Buffer.from(tokens.map((token) => token.length));
  const pool = Buffer.concat(tokens);
  // One length byte a token, and the counter's tables rely on these two bounds.
  if (
    tokens.some((token) => token.length === 0 || token.length > 128) ||
    tokens.length >= 2 ** 18
  ) {
    throw new Error(`${name}: a token or the vocabulary is too long for this format`);
  }
  header.writeUInt32LE(tokens.length, 0);
  header.writeUInt32LE(pool.length, 4);
  return Buffer.concat([header, lengths, pool]);
}
