const RULE =
  /\b(?:must(?:n't)?|never|always|do not|don't|dont|only|please|no longer|without|required?|requirements?|important|make sure|ensure|avoid|keep|should(?:n't)?|shall|cannot|can't|may not|not allowed|forbidden|at (?:most|least)|instead of|prefer|use|constraints?|rules?|limit|deadline|under no circumstances|unless|before you|stick to|leave)\b/i;

const DECISION =
  /\b(?:decid(?:e|ed|ing|es)|decisions?|because|instead|chose|chosen|choose|opt(?:ed|ing) (?:for|to)|rather than|(?:root|the) cause|caused by|due to|fix(?:ed|es)?|resolved?|solution|will use|we'll use|I'll use|going with|go(?:es)? with|settled|agreed?|conclu\w+|therefore|turn(?:s|ed) out|confirmed|verified|found (?:that|the)|(?:problem|issue|bug|reason|culprit) (?:is|was)|plan|switch(?:ed|ing)? to|keep(?:ing)? |revert(?:ed|ing)?|trade-?offs?|workaround|summary|approach|in favou?r of|will not|won't|replaced?|migrat(?:e|ed|ing) to|picked|pick|adopt(?:ed|ing)?|ruled out|approved|pinned|dropped|standardi[sz]e)\b/i;

const OPEN =
  /\b(?:todo|to-do|fixme|next steps?|next up|next:|remaining|remains?|still (?:need|to|missing|open|fail\w*|broken|ha(?:ve|s))|not yet|blocked|blockers?|pending|left to (?:do|fix)|what's left|follow-?ups?|open (?:questions?|issues?|work|items?|points?)|unresolved|outstanding|unfinished|yet to|later:|waiting (?:for|on)|needs? to be|have to)\b|^\s*[-*] \[ \]|^next\b/i;

const DONE =
  /\b(?:added|changed|removed|created|implemented|renamed|moved|updated|deleted|wrote|merged|deployed|committed|pushed|passes|passing|all tests|done|works|succeeded|result)\b/i;

/** Says that something is settled: a label, a status, the passive, a choice over something else. */
const DECIDED =
  /^\W{0,8}(?:decision|decided|agreed|agreement|resolution|outcome|verdict|conclusion|consensus)\b[^.:]{0,30}:|\bstatus\W{1,4}(?:accepted|approved|decided|adopted|superseded|rejected)\b|\b(?:we|I|team|they|everyone|both|all)(?:'ve| have)?(?: all| both| finally)? (?:decided|agreed|settled|chose|opted|concluded|picked)\b|\b(?:was|were|is|are|been|be) (?:chosen|selected|picked|preferred|adopted|rejected|ruled out|agreed|decided|approved|superseded|settled)\b|\b(?:chose|chosen|picked|prefer(?:red|s)?|selected|favou?red|wins|won)\b.{1,80}\bover\b|\b(?:go(?:es|ing)?|went|stay(?:s|ing)?|stick(?:ing)?|stuck) with\b|\b(?:we|I)(?:'ll| will) (?:use|keep|stay|stick|drop|switch|not)\b|\b(?:rather than|instead of|in favou?r of|root cause|settled (?:on|that)|agreed (?:to|that|on|with))\b|\b(?:should|must)(?: not|n't)?\b.{1,80}\bso\b/i;

export type ProseKind = 'rule' | 'decision' | 'open' | 'done';

/** What a sentence does, the weightiest first; a rule only for those who may give one. */
export function proseOf(line: string, rules: boolean): ProseKind | undefined {
  if (rules && RULE.test(line)) return 'rule';
  if (DECISION.test(line)) return 'decision';
  if (OPEN.test(line)) return 'open';
  return DONE.test(line) ? 'done' : undefined;
}

/** Whether a sentence says outright that something is decided; many more only have a word of it. */
export function isDecided(line: string): boolean {
  return DECIDED.test(line);
}
