import { readFileSync } from 'node:fs';
import { generator, pickText } from './oracle.ts';

const NAMES = 'user id total cache token node parser stream buffer error value index'.split(' ');
const LEVELS = ['INFO ', 'WARN ', 'ERROR', 'DEBUG'];
const HEX = '0123456789abcdef'.split('');

/** Texts of the kinds a transcript holds, by name; the same ones at every run. */
export function corpora(): Record<string, string> {
  const random = generator(42);
  const hex = (count: number): string => pickText(random, HEX, count);
  const name = (): string => pickText(random, NAMES, 1);
  const number = (): number => Math.floor(random() ** 3 * 100_000);
  const code = ['bpe', 'split', 'vocabulary', 'window-merge']
    .map((file) => readFileSync(new URL(`../../src/measure/${file}.ts`, import.meta.url), 'utf8'))
    .join('\n');
  const lines = code.split('\n');
  const base64 = Buffer.from(hex(12_000), 'hex').toString('base64');

  return {
    prose: readFileSync(new URL('../../node_modules/commander/Readme.md', import.meta.url), 'utf8'),
    typescript: code,
    crlf: code.replaceAll('\n', '\r\n'),
    json: JSON.stringify({ items: lines.map((text, line) => ({ line, text, id: hex(12) })) }),
    prettyJson: JSON.stringify(
      lines.slice(0, 200).map((text, line) => ({ line, text, at: number() / 7 })),
      null,
      2,
    ),
    log: many(
      300,
      () =>
        `2026-11-30T12:${10 + Math.floor(random() * 50)}:07.123Z ${pickText(random, LEVELS, 1)} [${name()}-${hex(4)}] ${name()} ${name()}=${number()}ms id=${hex(32)}\n`,
    ),
    grep: lines.map((line, index) => `src/${name()}/${name()}.ts:${index}:${line}`).join('\n'),
    numbered: lines.map((line, index) => `${String(index).padStart(6)}\u2192${line}`).join('\n'),
    minified: code.replaceAll(/\/\/.*|\s+/g, ' ').replaceAll(/ ?([=(){},;:<>+]) ?/g, '$1'),
    cjk: many(400, () => {
      const length = 2 + Math.floor(random() * 24);
      const character = (): string =>
        String.fromCharCode(0x4e00 + Math.floor(random() ** 3 * 9000));
      return (
        many(length, character) + pickText(random, ['，', '。', '\n', ' GPT ', 'です', '한국'], 1)
      );
    }),
    scripts:
      'Привет, мир! Ελληνικά ΑΒΓ. हिन्दी में १२३। العربية ٤٥٦؟ ภาษาไทย tiếng Việt Çağ ŁÓDŹ\n'.repeat(
        20,
      ),
    emoji: many(
      400,
      () => `${String.fromCodePoint(0x1f300 + Math.floor(random() * 700))}👨‍👩‍👧 ${name()} 🇩🇪❤️`,
    ),
    base64,
    base64Lines: base64.replaceAll(/.{76}/g, '$&\n'),
    hexdump: many(200, () => `${hex(8)}: ${many(8, () => `${hex(4)} `)} ..a.${hex(2)}..\n`),
    terminal: many(
      200,
      () => `\u001b[3${number() % 8}m${name()}\u001b[0m\t${'='.repeat(number() % 90)}\r\n`,
    ),
  };
}

function many(count: number, line: () => string): string {
  return Array.from({ length: count }, line).join('');
}
