/** Fewer lines show no pattern. */
const ENOUGH_LINES = 6;

/** What this share of the lines says is their pattern; the rest is what they tell. */
const FREQUENT = 0.06;

/** Of few lines it takes more: at least so many, or so large a share. */
const FREQUENT_LINES = 8;

const FREQUENT_OF_FEW = 0.4;

/** Lines that are looked at to learn the pattern: spread over all of them. */
const SAMPLE = 4096;

/** Up to this share of the lines a group of like lines is an exception. */
const RARE = 1 / 40;

/** Above this share a pattern is a habit; a few comments may begin alike by chance. */
const SHARED = 1 / 15;

/** More exceptions than this share are no exceptions. */
const EXCEPTIONS = 0.1;

/** A pattern of so many of the lines is what the item is made of. */
const TYPICAL = 1 / 5;

/** Stands for a word that few lines have. */
const GAP = '*';

const WORD = /[\p{L}\p{N}_]+/gu;

const NUMBERED = /\p{N}/u;

/**
 * How a line stands among those of its item: `typical` of them, `shared` with some, or like few or none. Where most
 * lines follow a pattern, one that follows none is `lone`, and tells something.
 */
export type Standing = 'typical' | 'shared' | 'single' | 'lone';

/**
 * Finds the patterns of lines by the words that many of them share (the way of LogCluster): a pattern is the
 * frequent words of a line in their order, with gaps for the others. Words with a digit in them count for nothing,
 * so that counters, times, hashes and ids do not tell lines apart.
 */
export function standingsOf(heads: readonly string[]): Standing[] {
  if (heads.length < ENOUGH_LINES) return heads.map(() => 'single');
  const frequent = frequentWords(heads);
  const patterns = heads.map((head) => patternOf(head, frequent));
  const sizes = new Map<string, number>();
  for (const pattern of patterns) sizes.set(pattern, (sizes.get(pattern) ?? 0) + 1);
  const few = Math.max(2, heads.length * RARE);
  const some = Math.max(3, heads.length * SHARED);
  // Common words in a rare order are news only beside a word that the others do not have.
  const isOdd = (pattern: string): boolean =>
    (sizes.get(pattern) ?? 0) <= few && pattern.includes(GAP);
  const odd = patterns.filter((pattern) => isOdd(pattern)).length;
  const alone = odd <= Math.max(few, heads.length * EXCEPTIONS) ? 'lone' : 'single';
  return patterns.map((pattern) => {
    if (isOdd(pattern)) return alone;
    const size = sizes.get(pattern) ?? 0;
    // To have nothing but gaps in common is to have nothing in common.
    if (size <= some || !/[^* ]/.test(pattern)) return 'single';
    return size >= heads.length * TYPICAL ? 'typical' : 'shared';
  });
}

function frequentWords(heads: readonly string[]): ReadonlySet<string> {
  const step = Math.ceil(heads.length / SAMPLE);
  const seen = new Map<string, number>();
  let lines = 0;
  for (let at = 0; at < heads.length; at += step) {
    lines += 1;
    const words = new Set(wordsOf(heads[at] ?? ''));
    for (const word of words) seen.set(word, (seen.get(word) ?? 0) + 1);
  }
  const least = Math.max(lines * FREQUENT, Math.min(lines * FREQUENT_OF_FEW, FREQUENT_LINES));
  return new Set([...seen].filter(([, count]) => count >= least).map(([word]) => word));
}

/** How much stands in a gap counts too, roughly: a name and a sentence are not the same. */
function patternOf(head: string, frequent: ReadonlySet<string>): string {
  const parts: string[] = [];
  let gap = 0;
  for (const word of wordsOf(head)) {
    if (!frequent.has(word)) {
      gap += 1;
      if (gap <= 3) parts.push(GAP);
      continue;
    }
    gap = 0;
    parts.push(word);
  }
  return parts.join(' ');
}

function wordsOf(head: string): string[] {
  return (head.slice(0, 240).match(WORD) ?? []).filter((word) => !NUMBERED.test(word));
}
