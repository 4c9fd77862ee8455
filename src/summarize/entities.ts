/** Forms of ids that are worth a line even inside code. */
const IDENTIFIERS: readonly RegExp[] = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/i,
  /\b[a-z][a-z0-9+.]{1,12}:\/\/[\w@]/i,
  /(?<![.\w])[A-Z][A-Z0-9]{1,9}-\d{1,7}\b(?!-)|\b\d{2,9}-[A-Z]{2,10}\b|(?:^|[\s(])#\d{1,7}\b/,
  /\b(?:0x[0-9a-f]{4,40}|(?=[a-f]{0,63}\d)(?=\d{0,63}[a-f])[0-9a-f]{7,64})\b/,
  /\b\d{6,20}[_-][a-z]/i,
  /\b[a-z]{2,12}[_-](?=[a-z]{0,30}\d)[a-z0-9]{5,40}(?![a-z0-9])/i,
  /(?<![.\w-])(?!(?:SHA|ISO|RFC|UTF|HTTP|MD|AES|CVE|BASE|CRC|IEEE|X)\d)[A-Z]{2,8}\d{3,12}\b(?!-)/,
  /\b[A-Z]{2,8}-(?=[A-Z]{0,30}\d)[A-Z0-9]{4,30}\b/,
  /\b(?:ticket|case|account|order|invoice|build|job|pipeline|incident|batch|request|issue|PR|release|contract|customer|tenant|device|serial|reference|ref|number|change|deploy(?:ment)?|run|transaction|shipment)\s(?:id\s|no\.?\s|number\s|#\s?)?(?=[A-Z-]{0,12}\d)[A-Z\d-]{4,30}\b/i,
];

const VERSION = /\bv?\d{1,5}\.\d{1,5}\.\d{1,5}(?:[-+]\w{1,20})?\b/;

const PATHS: readonly RegExp[] = [
  /(?:^|[\s"'`(=:[<,])(?:~|\.{1,2})?\/[\w.@+-]{1,80}\/[\w.@+-]/,
  /(?:^|[\s"'`(=:[<,])[\w@.-]{1,60}\/[\w@./-]{1,160}/,
  /\b[A-Z]:\\[\w\\]/,
  /\b[\w-]{2,60}\.(?:tsx?|jsx?|mjs|cjs|jsonl?|ya?ml|toml|md|py|rs|go|java|cc?|hh?|cpp|cs|rb|php|sh|sql|log|txt|lock|env|cfg|ini|conf|csv|db|sqlite|proto|tf|xml|html|css|pem|key|tar|gz|zip|whl|so|dll|exe)\b/,
];

const FIGURES: readonly RegExp[] = [
  /(?:^|[\s"'{(,;])[A-Za-z][\w.-]{1,40}["']?\s?[=:]\s?["']?[-+$]?\d/,
  /(?:^|[\s{(,;])[A-Za-z][\w.-]{1,40}=["']?[\w$/-]/,
  /\b\d[\d,.]{0,20}\s?(?:[mµn]?s|secs?|seconds?|mins?|minutes?|hours?|h|days?|weeks?|[kmgt]i?b(?:\/s)?|bytes?|px|[rq]ps|tokens?|rows?|lines?|users?|requests?|times|x|usd|eur|cores?|threads?|connections?|retries|attempts|passed|failed|tests?)(?!\w)|\d%|[$€£]\d/i,
  /\b(?:is|was|are|were|now|uses?|takes?|took|exactly|totals?)\s[-+$]?\d/i,
];

const SETTING = /^[A-Za-z][\w .-]{1,40}:\s\S{1,80}$/;

export interface Entities {
  readonly ids: number;
  readonly paths: number;
  readonly figures: number;
}

/** What a line names: ids, paths, figures (how many of the forms match, not how often). */
export function entitiesOf(line: string): Entities {
  return {
    ids: hits(IDENTIFIERS, line) + (VERSION.test(line) ? 1 : 0),
    paths: hits(PATHS, line),
    figures: hits(FIGURES, line) + (SETTING.test(line) ? 1 : 0),
  };
}

function hits(forms: readonly RegExp[], line: string): number {
  return forms.filter((form) => form.test(line)).length;
}
