import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as clack from '@clack/prompts';
import { explainSource } from '../compact.ts';
import { EXIT } from '../errors.ts';
import { openSource } from '../load/file.ts';
import { commas } from '../marker/marker.ts';
import { PRESETS } from '../presets/presets.ts';
import type { Report } from '../report/report.ts';
import { safe } from '../report/safe.ts';
import { compactCommand } from './commands/compact.ts';
import { outputPath } from './files.ts';
import type { Io } from './io.ts';
import { printReport } from './print.ts';

/** `ctx` alone on a terminal: file, preset with what it would save, table, and a question before writing. */
export async function runInteractive(io: Io): Promise<number> {
  clack.intro('ctx');
  const file = await askFile(io);
  if (file === undefined) return cancelled();
  const reports = await tryPresets(file);
  const [first] = reports;
  if (first === undefined) return EXIT.ok;
  clack.log.info(
    `${safe(file)}: ${commas(first.report.tokens.before)} tokens, ${percent(first.report)} of the window`,
  );
  const chosen = await clack.select({
    message: 'Which preset?',
    options: reports.map(({ name, summary, report }) => ({
      value: name,
      label: `${name}: ${report.tokens.saved > 0 ? `saves ${commas(report.tokens.saved)} tokens` : 'nothing to do'}`,
      hint: summary,
    })),
  });
  if (clack.isCancel(chosen)) return cancelled();
  const picked = reports.find(({ name }) => name === chosen);
  if (picked === undefined || picked.report.tokens.saved <= 0) {
    clack.outro('Nothing to do; nothing was written.');
    return EXIT.ok;
  }
  await printReport(picked.report, { bare: true }, 1, io);
  const output = outputPath(file, io.cwd, undefined);
  const agreed = await clack.confirm({ message: `Write ${safe(output)} and its stash?` });
  if (clack.isCancel(agreed) || !agreed) return cancelled();
  const code = await compactCommand([file], { steps: [{ preset: picked.name }], quiet: true }, io);
  if (code === EXIT.ok) clack.outro(`Written ${safe(output)}. Undo: ctx restore ${safe(output)}`);
  return code;
}

async function askFile(io: Io): Promise<string | undefined> {
  const here = readdirSync(io.cwd).find(
    (name) => /\.jsonl?$/.test(name) && !/\.(compact|restored)\./.test(name),
  );
  const file = await clack.text({
    message: 'Which transcript?',
    ...(here === undefined ? {} : { placeholder: here, defaultValue: here }),
    validate: (value) => {
      const name = value === undefined || value === '' ? here : value;
      return name !== undefined && existsSync(join(io.cwd, name))
        ? undefined
        : existsSync(name ?? '')
          ? undefined
          : 'There is no such file.';
    },
  });
  return clack.isCancel(file) ? undefined : file;
}

interface Tried {
  readonly name: string;
  readonly summary: string;
  readonly report: Report;
}

async function tryPresets(file: string): Promise<Tried[]> {
  const spinner = clack.spinner();
  spinner.start('Measuring');
  const tried: Tried[] = [];
  try {
    for (const { name, summary, specs, emergency } of PRESETS) {
      const source = openSource(file);
      try {
        const { report } = await explainSource(source, { specs, emergency });
        tried.push({ name, summary, report });
      } finally {
        source.close();
      }
    }
  } finally {
    spinner.stop('Measured');
  }
  return tried;
}

function percent({ tokens, window }: Report): string {
  return `${((tokens.before / window.tokens) * 100).toFixed(1)}%`;
}

function cancelled(): number {
  clack.cancel('Nothing was written.');
  return EXIT.ok;
}
