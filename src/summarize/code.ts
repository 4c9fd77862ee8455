/** Statements and declarations by their first word. Lower case only: prose starts with a capital. */
const DECLARATION =
  /^(?:import|export|package|using|namespace|const|let|var|val|public|private|protected|readonly|static|pub|async|await|yield|def|class|function|func|fn|interface|struct|enum|impl|trait|type|raise|throw|del|assert|elif|#include|#define|#ifdef|#endif)\s+[\w{*<"'@($]/;

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

const ARROW = /=>\s|\)\s?->\s|\bfunction\s?\(|!==?\s|\s===?\s|&&|\|\||\+\+;/;

const COMMENT = /^(?:\/\/|\/\*|\*\s|\*\/|"""|'''|<!--|#\s?(?:type|noqa|pylint|eslint)|@\w)/;

const MARKUP = /^<\/?[a-zA-Z!][^<>]{0,200}>?$/;

/** `ValueError: ...` and the like: never code, whatever stands after it. */
const ERROR_LEAD =
  /^(?:[\w.:$-]{0,80}(?:Error|Exception|Warning)(?=:|\s|$|\[)|\W{0,3}(?:error|fatal|panic|failed|FAILED|ERROR|FATAL|FAIL|Error)\b(?!\s?[=.,(]))/;

/** Whether a trimmed line reads as source code rather than as output or prose. */
export function looksLikeCode(line: string): boolean {
  if (ERROR_LEAD.test(line)) return false;
  const bare = /^[+-]\s?\w/.test(line) ? line.slice(1).trimStart() : line;
  if (DECLARATION.test(bare) || HEADED.test(bare) || LEAVE.test(bare) || BLOCK.test(bare))
    return true;
  if (COMMENT.test(bare) || MARKUP.test(bare) || ASSIGNMENT.test(bare) || CALL.test(bare))
    return true;
  // A JSON object in one line is a log entry or an answer.
  if (bare.startsWith('{"') || bare.startsWith('[{"')) return false;
  return TAIL.test(bare) || ARROW.test(bare) || /^[\])}]+/.test(bare);
}
