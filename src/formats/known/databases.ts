import { database, type KnownFormat } from './tests.ts';

/** Databases of clients: named by their tables, never opened. */
export const KNOWN_DATABASES: readonly KnownFormat[] = [
  {
    name: 'opencode-db',
    title: 'OpenCode database',
    advice:
      'ctx does not write into databases; `opencode export SESSION > session.json` gives a file that it reads',
    detect: database('session', 'message', 'part'),
  },
  {
    name: 'goose-db',
    title: 'Goose database',
    advice:
      'ctx does not write into databases; `goose session export --format json -o session.json` gives a file that it reads',
    detect: (head) =>
      database('sessions', 'messages')(head) && /content_json/.test(head.schema ?? ''),
  },
  {
    name: 'crush-db',
    title: 'Crush database',
    advice: 'Crush keeps its sessions in the database alone, and ctx does not write into databases',
    detect: (head) =>
      database('sessions', 'messages', 'files')(head) && !/content_json/.test(head.schema ?? ''),
  },
];
