import { KNOWN_FORMATS } from '../../formats/known.ts';
import { FORMATS } from '../../formats/registry.ts';
import type { Io } from '../io.ts';

/** `ctx formats`: what is read and written, and what is only recognised. */
export function formatsCommand(flags: { readonly json?: boolean }, io: Io): number {
  const rows = FORMATS.map((format) => ({
    name: format.name,
    title: format.title,
    layout: format.layout,
    messageRemoval: format.removal === true,
    identity: format.identity,
    verified: format.verified,
  }));
  if (flags.json === true) {
    const recognised = KNOWN_FORMATS.map(({ name, title }) => ({ name, title }));
    io.stdout.write(
      `${JSON.stringify({ schema: 'ctx.formats/1', formats: rows, recognised }, null, 2)}\n`,
    );
    return 0;
  }
  const lines = [
    ['name', 'what', 'file', 'removes messages', 'verified with'],
    ...rows.map((row) => [
      row.name,
      row.title,
      row.layout,
      row.messageRemoval ? 'yes' : 'no',
      row.verified,
    ]),
  ];
  io.stdout.write(columns(lines));
  io.stdout.write(
    `\nrecognised, not read yet: ${KNOWN_FORMATS.map(({ name }) => name).join(', ')}\n`,
  );
  return 0;
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
