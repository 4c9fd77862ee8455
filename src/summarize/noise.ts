const WORDLIKE = /\p{L}{2}|\d/u;

/** Encoded data: nothing else runs on for so long without a space. A path or URL of that length is rare enough. */
const BLOB =
  /[A-Za-z0-9+/=_-]{120}|(?:^|\s)[A-Za-z0-9+=]{72,}$|;base64,|^["'][\w.-]{1,40}["']:\s?["'][\w+/=:-]{72,}["']$/;

const HEX_DUMP = /^[0-9a-f]{7,8}:?\s{1,3}[0-9a-f]{2,8}\s/;

const FIGURES_ONLY = /^[\d\s.,:;|x+\-*/%()[\]]+$/;

const HEX_NUMBER = /\b0x[0-9a-f]+\b/gi;

const LONG_LISTING = /^(?:[-dlbcps][rwxsStT-]{9}[.+@]?\s|total \d+$)/;

const PROGRESS =
  /^\s*(?:Downloading|Downloaded|Collecting|Using cached|Requirement already|Compiling|Receiving objects|Resolving deltas|Remote: |remote: (?:Count|Compress|Enumerat)|Counting objects|Unpacking|Selecting|Preparing to|Setting up|Get:\d|Hit:\d|Fetching|Extracting|Pulling|Progress)\b|[█▇▓#=]{6}[>\s\]|]|\.{12}|\b\d{1,3}%\s?[|[]/;

const PASSED =
  /(?:^|\s)(?:ok|OK|PASS(?:ED)?|passed|✓|✔|√|\.\.\. ok|success)\s*(?:\(?\d+ ?m?s\)?)?$|^(?:ok \d|✓|✔|√|PASS\b|--- PASS|\s*--- PASS|=== RUN)/;

const INFO =
  /\b(?:INFO|DEBUG|TRACE|VERBOSE|NOTICE)\b|\b(?:level|lvl|severity)["']?[=:]\s?["']?(?:info|debug|trace|notice)\b|^\[?(?:info|debug|trace)\b/;

/** Lines that a client puts around every result. */
const ENVELOPE =
  /^(?:Chunk ID: \w+|Wall time: [\d.]+ seconds|Original token count: \d+|Output:|Total output lines: \d+|<\/?(?:output|stdout|stderr|result|content)>)$/;

const DIFF = /^(?:@@ |diff --git |index [0-9a-f]+\.\.|(?:---|\+\+\+) [ab]?\/)/;

const FRAME = /^\s*(?:at\s\S|File ".{0,200}", line \d|\.\.\. \d+ more)|^\s+at\s/;

export type Noise = 'worthless' | 'listing' | 'progress' | 'info' | 'frame';

/** What kind of noise a line is, if any. Told by its form alone; what it says may still make it worth keeping. */
export function noiseOf(line: string): Noise | undefined {
  if (!WORDLIKE.test(line) || ENVELOPE.test(line) || isEncoded(line)) return 'worthless';
  if (FIGURES_ONLY.test(line.replace(HEX_NUMBER, '0'))) return 'listing';
  if (LONG_LISTING.test(line) || DIFF.test(line)) return 'listing';
  if (PROGRESS.test(line) || PASSED.test(line)) return 'progress';
  if (FRAME.test(line)) return 'frame';
  return INFO.test(line) ? 'info' : undefined;
}

function isEncoded(line: string): boolean {
  return (line.length >= 72 && BLOB.test(line)) || HEX_DUMP.test(line) || isBinary(line);
}

/** Control characters other than tab, return and escape (colours), or replacement characters, in number. */
function isBinary(line: string): boolean {
  let odd = 0;
  for (let at = 0; at < line.length; at += 1) {
    const unit = line.charCodeAt(at);
    if (unit === 0xfffd || (unit < 32 && unit !== 9 && unit !== 13 && unit !== 27)) odd += 1;
  }
  return odd * 8 > line.length;
}
