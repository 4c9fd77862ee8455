// The extractive summarizer alone: what it keeps at 15 % of the tokens of each block and of each run of messages.
import { compact } from '../../dist/index.js';
import { extractive } from '../../dist/summarize/extractive.js';

const SHARE = 0.15;
const MODES = {
  // Results below 400 tokens stay, as they do for the step that users run.
  blocks: [
    ['summarize', 'toolResults:blockThreshold=400'],
    ['summarize', 'toolResultErrors:blockThreshold=400'],
  ],
  runs: [['summarize', '*:preserveRecent=4']],
};

/**
 * @returns {Promise<object[]>} one row for each mode: every canary that was put before the summarizer
 */
export async function measureExtractive(sessions) {
  const rows = [];
  for (const [mode, steps] of Object.entries(MODES)) {
    const facts = [];
    const tokens = { before: 0, after: 0 };
    for (const { pieces, canaries } of sessions) {
      for (const [round, piece] of pieces.entries()) {
        const own = canaries.filter((canary) => canary.round === round);
        await compact(Buffer.from(alone(piece)), { steps, summarizer: judged(own, facts, tokens) });
      }
    }
    rows.push({ mode, facts, tokens });
  }
  return rows;
}

/** The extractive summarizer with exactly 15 % of what it is given, watched. */
function judged(canaries, facts, tokens) {
  return {
    name: 'judged',
    async summarize(request) {
      const text = request.items.map((item) => item.text).join('\n');
      const before = request.count(text);
      const summary = extractive.summarize({
        ...request,
        maxTokens: Math.ceil(before * SHARE),
      });
      const said = summary;
      tokens.before += before;
      tokens.after += request.count(said);
      // Arguments of calls come as JSON; a core looks the same in it.
      for (const canary of canaries)
        if (text.includes(canary.core)) facts.push({ ...canary, kept: said.includes(canary.core) });
      return summary;
    },
  };
}

/** A piece as a session of its own: its first record follows nothing. */
function alone(piece) {
  return piece.replace(/"parentUuid":(?:null|"[^"]*")/, '"parentUuid":null');
}
