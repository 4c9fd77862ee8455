import { stripVTControlCharacters } from 'node:util';
import { append } from '../append.ts';
import { safe } from '../report/safe.ts';

const LONGEST = 500;

/** Shorter values are words: taking them out would hurt the message and hide nothing. */
const SHORTEST = 8;

const NAME = /(?:KEY|TOKEN|SECRET|PASSWORD)$/i;

/** Services show parts of a refused key. */
const KEY = /\bsk-[\w*.…-]{6,}/g;

/** Makes foreign text fit for a message: without keys, harmless on a terminal, in one line, not long. */
export type Clean = (text: string, keep?: 'head' | 'tail') => string;

/** A `Clean` that takes out the keys and tokens of an environment. */
export function cleaner(env: NodeJS.ProcessEnv): Clean {
  const secrets = secretsOf(env);
  return (text, keep = 'head') => {
    // Keys go before the text is cut: half a key would stay.
    let clean = stripVTControlCharacters(text);
    for (const secret of secrets) clean = clean.replaceAll(secret, '[key]');
    clean = safe(clean.replaceAll(KEY, '[key]').replaceAll(/\s+/g, ' ').trim());
    if (clean.length <= LONGEST) return clean;
    return keep === 'head' ? `${clean.slice(0, LONGEST)}…` : `…${clean.slice(-LONGEST)}`;
  };
}

function secretsOf(env: NodeJS.ProcessEnv): string[] {
  const values: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    if (NAME.test(name)) values.push(value);
    // Both SDKs send `name: value` lines of such a variable as headers.
    if (name.endsWith('_CUSTOM_HEADERS'))
      append(
        values,
        value.split('\n').map((line) => line.slice(line.indexOf(':') + 1)),
      );
  }
  const long = values.map((value) => value.trim()).filter((value) => value.length >= SHORTEST);
  const forms = long.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
  return [...new Set(forms)].toSorted((a, b) => b.length - a.length);
}
