/** Words that name an error in the way programs print it. */
const LOUD =
  /\b(?:ERROR|FATAL|PANIC|CRITICAL|SEVERE|FAILED|FAIL|FAILURE|ABORT(?:ED)?|CRASH(?:ED)?|OOMKilled|ERR_[A-Z_]+|ENOENT|EACCES|EPERM|EEXIST|ECONN[A-Z]+|ETIMEDOUT|EADDRINUSE|ENOSPC|EPIPE|EMFILE|ENOTFOUND|ERESOLVE|EISDIR|ENOTDIR|EINVAL|EBUSY|EAI_AGAIN|SIG(?:SEGV|KILL|ABRT|BUS))\b|\bERR!|\b[A-Z]\w*(?:Error|Exception)\b(?![(\w])/;

const LABELLED =
  /(?:^|[\s"'([<>|\]])(?:error|fatal|panic|exception|failure|failed|err|critical|severe)(?:\[[\w-]*\]|\(\w*\)|\s[A-Za-z]{1,4}\d{2,6})?["']?\s?[:=!](?!\s*(?:(?:null|none|nil|false|0|undefined|ok|success|n\/a)\b|<nil>|""|''|-(?:\s|$)|\[\]|\{\}))/i;

const LEVEL =
  /\b(?:level|severity|lvl|status|state|result|outcome|conclusion)["']?\s?[:=]\s?["']?(?:error|fatal|critical|failed|failure|fail|crit)\b/i;

const PHRASE =
  /\b(?:no such (?:file|tool|module|table|host)|permission denied|access denied|(?:command|module|package) not found|(?:cannot|can't|can not) (?:find|open|read|write|access|resolve|import|connect|be|load|assign|stat|create)|could not|couldn't|unable to|failed (?:to|with|at|after|on|in|for|because)|\w+ failed\b|timed out|timeout (?:after|of|while|waiting)|connection (?:refused|reset|closed|lost)|segmentation fault|core dumped|out of memory|stack overflow|undefined reference|unresolved (?:import|reference|external)|is not (?:defined|a function|recognized|assignable)|(?:does not|doesn't) exist|syntax error|unsupported call|un(?:recogni[sz]ed|known) (?:option|command|argument|flag|host|tool|key)|not found(?=$|[:.]|\s(?:in|for|at)\b)|unhandled|uncaught|panicked at|merge conflict|aborted|oom-?kill|rejected|bad request|unauthorized|forbidden|internal server error|deadlock|corrupt\w*|disk full|no space left|quota exceeded|rate limit(?:ed)?|violates|assertion|expected .{1,80} (?:but )?(?:got|received|found|to (?:be|equal)))\b/i;

const MARKED =
  /^\s*(?:E {2,}\S|not ok\b|[✗✘×✖❌]|● .{1,200} ›|--- FAIL|FAIL\b|npm (?:ERR|error)\b|thread '[^']{0,80}' panicked|CONFLICT \()/;

const HTTP =
  /\b(?:HTTP(?:\/[\d.]{1,3})?|status(?: code)?|statusCode|returned|got)["']?[ =:]{1,2}(?:4\d\d|5\d\d)\b/i;

const DIAGNOSTIC = /^[\w./\\@-]{1,160}[:(]\d+(?:[:,]\d+)?\)?:?\s*(?:-\s)?(?:fatal )?error\b/;

const WEAK =
  /\b(?:not found|errors?|fail(?:s|ed|ures?|ing)?|exceptions?|crash\w*|broken|invalid|unexpected|mismatch|missing|warn(?:ing)?s?|WARN|deprecated|denied|refused|killed|traceback|stale|leak(?:s|ed)?)\b/i;

/** What says that there was none, or only talks about errors. Taken out before the words are looked at. */
const DENIED =
  /\b(?:0|no|zero|without|any|free of)\s(?:\w{1,16}\s)?(?:errors?|failures?|failed|failing|warnings?|exceptions?|problems?|issues?)\b|\b(?:errors?|failures?|failed|warnings?|exceptions?)["']?\s?[:=]\s?["']?(?:(?:0|none|null|nil|false|ok|success)\b|no$|-(?=\s|$)|<nil>|\[\]|\{\})|\berror[- ](?:handl\w*|boundar\w*|recovery|reporting|messages?(?! ?:)|types?|class(?:es)?|cases?|paths?|codes|free|prone|correction)\b|\b(?:handl\w+|catch(?:es|ing)?|on|if an|raises?|returns? an) (?:errors?|exceptions?)\b/gi;

const EXIT =
  /\b(?:exit(?:ed)?(?: with)?(?: code| status)?|exit_?code|exit_?status|return ?code|returncode|rc)["']?\s?[:=]?\s?\(?(-?\d+)\b/i;

/** File names and links are no errors, whatever their names say; quoted and JSON words are text. */
const PATH_WORD = /^(?!["'{[<]|HTTP\/).*[/\\]|^\(?[\w-]{1,60}\.[a-z]{1,5}(?![\w.])/i;

/** How sure it is that a line reports an error. `exit` a code other than 0; `weak` one that only has the word. */
export type ErrorKind = 'strong' | 'exit' | 'weak' | 'exit-ok';

export function errorOf(line: string): ErrorKind | undefined {
  const exit = EXIT.exec(line)?.[1];
  if (exit !== undefined && Number(exit) !== 0) return 'exit';
  if (DIAGNOSTIC.test(line) || MARKED.test(line)) return 'strong';
  if (!hints(line)) return exit === undefined ? undefined : 'exit-ok';
  const said = spoken(line);
  if (isStrong(said)) return 'strong';
  if (WEAK.test(said)) return 'weak';
  return exit === undefined ? undefined : 'exit-ok';
}

function hints(line: string): boolean {
  return WEAK.test(line) || isStrong(line);
}

function isStrong(line: string): boolean {
  return (
    LOUD.test(line) ||
    LABELLED.test(line) ||
    LEVEL.test(line) ||
    PHRASE.test(line) ||
    HTTP.test(line)
  );
}

function spoken(line: string): string {
  const words = line.split(/\s+/).filter((word) => !PATH_WORD.test(word));
  return words.join(' ').replace(DENIED, ' ');
}
