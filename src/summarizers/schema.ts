import { MOST_CHARS, type SectionName } from '../summarize/sections.ts';

/** What goes into each list of a structured summary. */
const SECTIONS: Readonly<Record<SectionName, string>> = {
  completedWork: 'what was done, with the evidence that it was',
  activeWork: 'what was begun or asked for and is not finished, with the next step',
  constraints: 'rules, limits and wishes of the person, word for word',
  decisions: 'what was decided, and why',
  uncertainties: 'what is open, unproven or contradictory',
  artifacts: 'files, branches, links, ids and names that were made, changed or matter',
  actionReceipts: 'actions with effects outside, and what came back: ids, exit codes, amounts',
};

/** Entries of a section that a helper is asked for; the check allows more. */
const MOST_ENTRIES = 2;

/** JSON Schema of a structured summary. */
export const SCHEMA: object = {
  type: 'object',
  additionalProperties: false,
  required: Object.keys(SECTIONS),
  properties: Object.fromEntries(
    Object.entries(SECTIONS).map(([name, description]) => [
      name,
      { type: 'array', description, maxItems: MOST_ENTRIES, items: entry() },
    ]),
  ),
};

function entry(): object {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['text', 'sourceIds'],
    properties: {
      text: { type: 'string', minLength: 1, maxLength: MOST_CHARS },
      sourceIds: { type: 'array', minItems: 1, items: { type: 'string' } },
    },
  };
}
