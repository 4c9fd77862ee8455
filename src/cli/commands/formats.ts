import type { Format } from '../../formats/format.ts';
import type { KnownFormat } from '../../formats/known/tests.ts';
import { KNOWN_FORMATS } from '../../formats/known.ts';
import { datasetOf, FORMATS } from '../../formats/registry.ts';
import type { Io } from '../io.ts';

/** What ctx can do with a format. */
interface FormatRow {
  readonly name: string;
  readonly title: string;
  readonly layout: Format['layout'];
  readonly read: boolean;
  readonly write: boolean;
  readonly messageRemoval: boolean;
  /** Why not, when it is not. */
  readonly messageRemovalReason: string | null;
  /** Whether a result can be hidden by a mark of the client's own. */
  readonly nativeHide: boolean;
  readonly identity: Format['identity'];
  readonly compressed: readonly string[];
  /** Name of the dataset format whose lines are documents of this one. */
  readonly datasetLines: string | null;
  readonly verified: string;
}

/** `ctx formats`: what is read and written and how well, and what is only recognised and why. */
export function formatsCommand(flags: { readonly json?: boolean }, io: Io): number {
  const rows = FORMATS.map(formatRow);
  const recognised = KNOWN_FORMATS.map(recognisedRow);
  if (flags.json === true) {
    const list = { schema: 'ctx.formats/1', formats: rows, recognised };
    io.stdout.write(`${JSON.stringify(list, null, 2)}\n`);
    return 0;
  }
  const columnsOf = TABLE.map(([name]) => name);
  io.stdout.write(columns([columnsOf, ...rows.map((row) => TABLE.map(([, cell]) => cell(row)))]));
  io.stdout.write(NOTES);
  const known = recognised.map(({ name, title, reason }) => [name, title, reason]);
  if (known.length > 0) io.stdout.write(`\nrecognised, not read:\n${columns(known)}`);
  return 0;
}

const TABLE: readonly (readonly [string, (row: FormatRow) => string])[] = [
  ['name', (row) => row.name],
  ['what', (row) => row.title],
  ['file', (row) => row.layout],
  ['read', (row) => yes(row.read)],
  ['write', (row) => yes(row.write)],
  ['removes messages', (row) => yes(row.messageRemoval)],
  ['native hide', (row) => yes(row.nativeHide)],
  ['identity', (row) => row.identity],
  ['compressed', (row) => (row.compressed.length > 0 ? row.compressed.join(' ') : 'no')],
  ['dataset lines', (row) => row.datasetLines ?? 'no'],
  ['verified with', (row) => row.verified],
];

const NOTES = `
identity: where a placeholder says what it stands for; .zst needs Node 22.15 or later
`;

function yes(value: boolean): string {
  return value ? 'yes' : 'no';
}

function formatRow(format: Format): FormatRow {
  const { name, title, layout, removal, identity, verified } = format;
  return {
    name,
    title,
    layout,
    read: true,
    write: true,
    messageRemoval: removal === true,
    messageRemovalReason: removal === true ? null : removal,
    nativeHide: 'native' in format && format.native !== undefined,
    identity,
    // A folder is many files, each with a place of its own.
    compressed: layout === 'folder' ? [] : ['.gz', '.zst'],
    datasetLines: datasetOf(format)?.name ?? null,
    verified,
  };
}

interface RecognisedRow {
  readonly name: string;
  readonly title: string;
  readonly reason: string;
  /** Command that makes a file that is read. */
  readonly export: string | null;
}

/** The command, when there is one, stands in the advice between back quotes. */
function recognisedRow({ name, title, advice }: KnownFormat): RecognisedRow {
  return {
    name,
    title,
    reason: advice ?? 'not read yet',
    export: /`([^`]+)`/.exec(advice ?? '')?.[1] ?? null,
  };
}

/** Rows with their columns aligned. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, index) =>
    Math.max(...rows.map((row) => (row[index] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
