const RULE =
  /\b(?:must(?:n't)?|never|always|do not|don't|dont|only|please|no longer|without|required?|requirements?|important|make sure|ensure|avoid|keep|should(?:n't)?|shall|cannot|can't|may not|not allowed|forbidden|at (?:most|least)|instead of|prefer|use|constraints?|rules?|limit|deadline|under no circumstances|unless|before you|stick to|leave)\b/i;

const DECISION =
  /\b(?:decid(?:e|ed|ing|es)|decisions?|because|instead|chose|chosen|choose|opt(?:ed|ing) (?:for|to)|rather than|(?:root|the) cause|caused by|due to|fix(?:ed|es)?|resolved?|solution|will use|we'll use|I'll use|going with|go(?:es)? with|settled|agreed?|conclu\w+|therefore|turn(?:s|ed) out|confirmed|verified|found (?:that|the)|(?:problem|issue|bug|reason|culprit) (?:is|was)|plan|switch(?:ed|ing)? to|keep(?:ing)? |revert(?:ed|ing)?|trade-?offs?|workaround|summary|approach|in favou?r of|will not|won't|replaced?|migrat(?:e|ed|ing) to|picked|pick|adopt(?:ed|ing)?|ruled out|approved|pinned|dropped|standardi[sz]e)\b/i;

const OPEN =
  /\b(?:todo|to-do|fixme|next steps?|next up|next:|remaining|remains?|still (?:need|to|missing|open|fail\w*|broken|ha(?:ve|s))|not yet|blocked|blockers?|pending|left to (?:do|fix)|what's left|follow-?ups?|open (?:questions?|issues?|work|items?|points?)|unresolved|outstanding|unfinished|yet to|later:|waiting (?:for|on)|needs? to be|have to)\b|^\s*[-*] \[ \]|^next\b/i;

const DONE =
  /\b(?:added|changed|removed|created|implemented|renamed|moved|updated|deleted|wrote|merged|deployed|committed|pushed|passes|passing|all tests|done|works|succeeded|result)\b/i;

export type ProseKind = 'rule' | 'decision' | 'open' | 'done';

/** What a sentence does, the weightiest first; a rule only for those who may give one. */
export function proseOf(line: string, rules: boolean): ProseKind | undefined {
  if (rules && RULE.test(line)) return 'rule';
  if (DECISION.test(line)) return 'decision';
  if (OPEN.test(line)) return 'open';
  return DONE.test(line) ? 'done' : undefined;
}
