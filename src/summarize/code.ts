/** Statements and declarations by their first word. Lower case only: prose starts with a capital. */
const DECLARATION =
  /^(?:import|export|package|using|namespace|const|let|var|val|public|private|protected|readonly|static|pub|async|await|yield|def|class|function|func|fn|interface|struct|enum|impl|trait|type|raise|throw|del|assert|elif)\s+[\w{*<"'@($]/;

/** The same words begin sentences ("let me look", "export written to"): a declaration has one of these too. */
const PUNCTUATED = /[({=;]|:$/;

const IMPORT =
  /^(?:import|from)\s+[\w.]{1,120}(?:\s+(?:as|import)\s+[\w.*, ]{1,200})?$|^(?:import|export)\s.{0,300}\sfrom\s["']|^import\s["']|^#(?:include|define|if|ifdef|ifndef|endif|else|pragma)\b/;

/** Words that open a block in code and a sentence in prose: only with a bracket or a colon at the end. */
const BLOCK =
  /^(?:\}\s*)?(?:if|for|while|switch|case|catch|with|except|rescue|match|else|try|finally|do|begin|loop|unless|when)\b.{0,200}[:{(]$/;

const HEADED = /^(?:\}\s*)?(?:if|for|while|switch|catch|foreach)\s?\(/;

const LEAVE =
  /^(?:return|break|continue|pass|end|fi|done|esac)(?:;|$|\s(?!code|value|status|the|to\b|with\b|of\b|from\b))/;

/** Assignment of an expression. A plain literal on the right is a setting, and worth reading. */
const ASSIGNMENT = /^[\w.$[\]'"]{1,60}\s(?:[+\-*/|&?]{0,2}=|:=)\s(?!["']?[\w.-]{1,40}["']?,?;?$)/;

const CALL = /^[\w.$]{1,80}\(.{0,300}\)?[;,{]?$/;

const TAIL = /(?:[;{]|=>|\)\s?[:,]|\}\)?;?,?|\(\[?)$/;

const ARROW =
  /(?:\)|[(,=]\s?\w{1,40})\s?=>|\)\s?->\s|\bfunction\s?\(|!==?\s|\s===?\s|&&|\|\||\+\+;/;

const COMMENT = /^(?:\/\/|\/\*|\*\s?@|\*\/|"""|'''|<!--|#\s?(?:type|noqa|pylint|eslint)|@\w)/;

const MARKUP = /^<\/?[a-zA-Z!][^<>]{0,200}>?$/;

/** `ValueError: ...` and the like: never code, whatever stands after it. */
const ERROR_LEAD =
  /^(?:[\w.:$-]{0,80}(?:Error|Exception|Warning)(?=:|\s|$|\[)|[^\w/#*]{0,3}(?:error|fatal|panic|failed|FAILED|ERROR|FATAL|FAIL|Error)\b(?!\s?[=.,(]))/;

const DIAGNOSTIC =
  /^[\w./\\@-]{1,160}[:(]\d+(?:[:,]\d+)?\)?:?\s*(?:-\s)?(?:fatal |internal )?(?:error|warning)\b/;

/** Test runners put this before the lines that tell the difference. */
const MARKED = /^E {2,}\S/;

/** `path:12:text`, as searches print it. */
const SEARCH_HIT = /^[\w./@+-]{1,200}[:-]\d{1,7}[:-]\s{0,80}(?=\S)/;

const PROPERTY = /^[\w$'-]{1,60}:\s.{1,200},$|^["'`][^"'`]{0,200}["'`],?$/;

/** Whether a trimmed line reads as source code rather than as output or prose. */
export function looksLikeCode(line: string): boolean {
  if (ERROR_LEAD.test(line) || DIAGNOSTIC.test(line) || MARKED.test(line)) return false;
  const text = line.replace(SEARCH_HIT, '');
  const bare = /^[+-]\s{0,80}[\w"'$#/*}]/.test(text) ? text.slice(1).trimStart() : text;
  // A JSON object in one line is a log entry or an answer.
  if (bare.startsWith('{"') || bare.startsWith('[{"')) return false;
  if (DECLARATION.test(bare) && PUNCTUATED.test(bare)) return true;
  return CODE.some((form) => form.test(bare));
}

const CODE: readonly RegExp[] = [
  IMPORT,
  HEADED,
  LEAVE,
  BLOCK,
  COMMENT,
  MARKUP,
  ASSIGNMENT,
  CALL,
  PROPERTY,
  TAIL,
  ARROW,
  /^[\])}]+/,
];
