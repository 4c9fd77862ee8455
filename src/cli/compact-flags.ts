import { usageError } from '../errors.ts';
import type { GuardFlags } from './guard-options.ts';
import type { StepFlag } from './options.ts';
import type { MaskingFlags, SummarizerFlags } from './summaries.ts';

/** Flags of compact and explain. */
export interface CompactFlags extends MaskingFlags, SummarizerFlags, GuardFlags {
  readonly steps: readonly StepFlag[];
  readonly explain?: boolean;
  readonly dryRun?: boolean;
  readonly output?: string;
  readonly outDir?: string;
  readonly stash?: string;
  readonly inPlace?: boolean;
  readonly exactArchive?: boolean;
  readonly force?: boolean;
  readonly verify?: boolean;
  readonly emergency?: boolean;
  readonly window?: string;
  readonly counter?: string;
  readonly format?: string;
  readonly fromJournal?: boolean;
  readonly protectEnds?: boolean;
  readonly markerHint?: string;
  readonly failIfOver?: string;
  readonly targetTokens?: string;
  readonly minSavings?: string;
  readonly plan?: string;
  readonly planOut?: string;
  readonly interactive?: boolean;
  readonly all?: boolean;
  readonly plain?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color?: 'auto' | 'always' | 'never';
  readonly debug?: boolean;
}

const FLAG_NAMES: Readonly<Record<string, string>> = { planOut: 'plan-out' };

/** Flags that contradict one another, before any file is read. */
export function checkFlags(files: readonly string[], flags: CompactFlags): void {
  const single = ['output', 'stash', 'plan', 'planOut', 'interactive'] as const;
  for (const name of single) {
    if (files.length > 1 && flags[name] !== undefined) {
      throw usageError(
        `--${FLAG_NAMES[name] ?? name} is for one file, but there are ${files.length} inputs`,
        name === 'output' || name === 'stash' ? 'use --out-dir' : 'name one file',
      );
    }
  }
  if (flags.output !== undefined && flags.outDir !== undefined)
    throw usageError('--output and --out-dir exclude one another');
  if (flags.inPlace === true && (flags.output !== undefined || flags.outDir !== undefined)) {
    throw usageError('--in-place excludes --output and --out-dir');
  }
  if (flags.interactive === true && flags.planOut === undefined)
    throw usageError(
      '--interactive needs --plan-out FILE, so that the choice is kept',
      'apply it with ctx compact FILE --plan plan.json',
    );
  if (flags.plan !== undefined && flags.steps.length > 0)
    throw usageError('--plan has its own steps', 'leave the steps and presets out');
  if (flags.json === true && flags.plain === true)
    throw usageError('--json and --plain exclude one another');
  const piped = files.includes('-') || flags.output === '-';
  if (piped && flags.inPlace === true) throw usageError('--in-place needs a file');
  if (piped && flags.stash === undefined && flags.dryRun !== true) {
    throw usageError(
      'compacting through a pipe needs --stash FILE, so that the originals are kept',
      'or --dry-run to look only',
    );
  }
}
