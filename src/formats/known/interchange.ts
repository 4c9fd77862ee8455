import { arrayAt, isObject, stringAt, valueAt } from '../value.ts';
import {
  anyElement,
  anyRecord,
  document,
  either,
  firstOf,
  type KnownFormat,
  typeIn,
} from './tests.ts';

const RESPONSE_ITEMS = [
  'function_call',
  'function_call_output',
  'reasoning',
  'computer_call',
  'web_search_call',
];

/** Interchange formats, trajectories, datasets and exports. */
export const KNOWN_INTERCHANGE: readonly KnownFormat[] = [
  {
    name: 'openai-responses',
    title: 'OpenAI Responses items',
    detect: either(
      anyElement((element) => typeIn(element, RESPONSE_ITEMS)),
      document(
        (root) =>
          root['object'] === 'response' ||
          (arrayAt(root, 'input')?.some(
            (item) =>
              isObject(item) && (item['role'] !== undefined || typeIn(item, RESPONSE_ITEMS)),
          ) ??
            false),
      ),
    ),
  },
  {
    name: 'openhands',
    title: 'OpenHands events',
    detect: either(
      anyElement(
        (element) =>
          element['source'] !== undefined &&
          (element['action'] !== undefined ||
            element['observation'] !== undefined ||
            element['kind'] !== undefined),
      ),
      anyRecord((record) => record['history'] !== undefined && record['instance_id'] !== undefined),
    ),
  },
  {
    name: 'swe-agent',
    title: 'SWE-agent trajectory',
    detect: document(
      (root) => arrayAt(root, 'trajectory') !== undefined && root['info'] !== undefined,
    ),
  },
  {
    name: 'mini-swe-agent',
    title: 'mini-swe-agent trajectory',
    detect: document(
      (root) => stringAt(root, 'trajectory_format')?.startsWith('mini-swe-agent') === true,
    ),
  },
  {
    name: 'atif',
    title: 'ATIF trajectory',
    detect: document((root) => stringAt(root, 'schema_version')?.startsWith('ATIF-') === true),
  },
  {
    name: 'sharegpt',
    title: 'ShareGPT dataset',
    detect: either(
      anyElement(
        (element) =>
          (element['from'] !== undefined && element['value'] !== undefined) ||
          arrayAt(element, 'conversations') !== undefined,
      ),
      document((root) => firstOf(root, 'conversations')?.['from'] !== undefined),
      anyRecord((record) => firstOf(record, 'conversations')?.['from'] !== undefined),
    ),
  },
  {
    name: 'dataset-jsonl',
    title: 'dataset with one conversation a line',
    advice: 'split it into one JSON file a conversation',
    detect: (head) =>
      head.framing === 'jsonl' &&
      head.records.length > 1 &&
      head.records.every((record) =>
        ['messages', 'conversations', 'body', 'input'].some(
          (key) => valueAt(record, key) !== undefined,
        ),
      ),
  },
];
