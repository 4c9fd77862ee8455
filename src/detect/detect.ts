import { formatError } from '../errors.ts';
import type { Format, Head } from '../formats/format.ts';
import type { KnownFormat } from '../formats/known/tests.ts';
import { KNOWN_FORMATS } from '../formats/known.ts';
import { DATASETS, FORMATS, findFormat } from '../formats/registry.ts';
import { nearMiss } from './near.ts';

/** A candidate and how sure it is (0 to 100). */
export interface Score {
  readonly name: string;
  readonly score: number;
}

const KNOWN_SCORE = 80;
const GENERAL_SCORE = 50;

/**
 * The format of a transcript, by content: the unique highest score.
 * @throws CtxError with exit 4 when none or several fit, or when the format is known and not supported.
 */
export function detectFormat(head: Head, path: string, forced?: string): Format {
  if (forced !== undefined) {
    const format = findFormat(forced);
    if (format !== undefined) return format;
    throw formatError(
      'format',
      `no format is named ${forced}`,
      `one of: ${[...FORMATS, ...DATASETS].map(({ name }) => name).join(', ')}`,
    );
  }
  const scores = scoreFormats(head);
  const [best, next] = scores;
  const listed = scores.map(({ name, score }) => `${name} ${score}`).join(', ');
  if (best === undefined) {
    const near = nearMiss(head);
    if (near !== undefined)
      throw formatError(
        'format-unknown',
        `${path} is ${near.what}, not a transcript`,
        near.instead,
      );
    throw formatError(
      'format-unknown',
      `${path} is no transcript that ctx knows (all scores 0)`,
      'see `ctx formats`; name one with --format',
    );
  }
  if (next !== undefined && next.score === best.score) {
    throw formatError(
      'format-ambiguous',
      `${path} could be several formats (${listed})`,
      'name one with --format',
    );
  }
  const known = KNOWN_FORMATS.find(({ name }) => name === best.name);
  if (known !== undefined) {
    const advice = known.advice ?? 'ctx recognises it but does not read it yet; see `ctx formats`';
    throw formatError(
      'format-unsupported',
      `${path} is a ${known.title} (scores: ${listed})`,
      advice,
    );
  }
  return findFormat(best.name) as Format;
}

/** Every candidate above 0, best first. */
export function scoreFormats(head: Head): Score[] {
  const views = [
    head,
    ...(head.document !== undefined && head.framing === 'jsonl' ? [asDocument(head)] : []),
  ];
  const supported = [...FORMATS, ...DATASETS].map((format) => ({
    name: format.name,
    score: Math.max(...views.map((view) => format.detect(view))),
  }));
  const known = KNOWN_FORMATS.map((format) => ({
    name: format.name,
    score: views.some((view) => format.detect(view)) ? knownScore(format) : 0,
  }));
  return [...supported, ...known]
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score || left.name.localeCompare(right.name));
}

function knownScore({ general }: KnownFormat): number {
  return general === true ? GENERAL_SCORE : KNOWN_SCORE;
}

function asDocument(head: Head): Head {
  return { framing: 'json', records: [], document: head.document };
}
