// The sets of steps that are measured: every preset that the program knows, and four single steps.
import { PRESETS } from '../../dist/index.js';

const SINGLE = [
  ['drop', 'toolResults:preserveRecent=4'],
  ['truncate', 'toolResults:blockThreshold=1500,previewTokens=500'],
  ['summarize', 'toolResults:blockThreshold=400'],
  ['summarize', '*:preserveRecent=4'],
];

export function stepSets() {
  return [
    ...PRESETS.map(({ name }) => ({ name, steps: [name] })),
    ...SINGLE.map((step) => ({ name: step.join(' '), steps: [step] })),
  ];
}
