import { Command, CommanderError, Option } from 'commander';
import { EXIT } from '../errors.ts';
import { safeLines } from '../report/safe.ts';
import { VERSION } from '../version.ts';
import { renderError } from './errors.ts';
import type { Io } from './io.ts';
import { addCompactOptions, type StepFlag } from './options.ts';
import { addStats } from './stats-options.ts';
import { bindStepFlags } from './step-flags.ts';
import { list } from './values.ts';

/** Builds the program and runs it: the one place where errors become messages and exit codes. */
export async function runProgram(argv: readonly string[], io: Io): Promise<number> {
  const result = { code: EXIT.ok as number };
  const program = buildProgram(io, (code) => {
    result.code = code;
  });
  try {
    if (argv.length === 0) result.code = await interactive(io, program);
    else await program.parseAsync(bindStepFlags(argv), { from: 'user' });
    return result.code;
  } catch (cause) {
    if (cause instanceof CommanderError) return cause.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return renderError(cause, io, argv.includes('--debug'));
  }
}

/** `ctx` alone: asks on a terminal, shows the help elsewhere. */
async function interactive(io: Io, program: Command): Promise<number> {
  if (io.stdin.isTTY && io.stdout.isTTY)
    return (await import('./interactive.ts')).runInteractive(io);
  io.stderr.write(program.helpInformation());
  return EXIT.usage;
}

function buildProgram(io: Io, done: (code: number) => void): Command {
  const program = new Command('ctx')
    .description(
      'Compacts saved agent conversations: a smaller transcript in the same format, and a stash with every original.',
    )
    .version(VERSION, '-V, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(safeLines(text)),
      outputError: (text, write) => write(text.replace(/^error: /, 'ctx: ')),
    })
    .showSuggestionAfterError()
    .showHelpAfterError('  ctx --help shows the commands')
    .addHelpText('after', EXAMPLES);
  addCompact(program, io, done);
  addExplain(program, io, done);
  addStats(program, io, done);
  addRetrieve(program, io, done);
  addRestore(program, io, done);
  addVerify(program, io, done);
  addPresets(program, io, done);
  addFormats(program, io, done);
  return program;
}

const EXAMPLES = `
ctx alone, on a terminal, asks for a file and a preset.

Examples:
  $ ctx compact session.jsonl --preset agentic     compact with a preset
  $ ctx explain session.jsonl --truncate 'toolResults:blockThreshold=5%'
  $ ctx stats session.jsonl --by tool,file         where its tokens went
  $ ctx retrieve 3f9a1c7b2d04 --pattern ERROR      bring one original back
  $ ctx restore session.compact.jsonl              undo everything

Exit codes: 0 done or nothing to do, 1 a check said no, 2 usage, 3 input, 4 format,
5 stash, 6 write, 7 summarizer, 70 a fault of ctx, 130 interrupted.
`;

function addCompact(program: Command, io: Io, done: (code: number) => void): void {
  const steps: StepFlag[] = [];
  const command = program
    .command('compact')
    .description('write a compacted transcript and its stash')
    .argument('<files...>', 'transcripts, globs, session folders, or - for standard input');
  addCompactOptions(command, steps)
    .option(
      '-o, --output <file>',
      'where the output goes (default: <stem>.compact<ext> beside the input)',
    )
    .option('--out-dir <folder>', 'folder for the outputs of several files')
    .option('--stash <file>', 'where the stash goes (default: <output>.stash)')
    .option('--in-place', 'compact the file where it is; the stash goes beside it')
    .option('--dry-run', 'show what would be done and write nothing')
    .option('--plan <file>', 'apply a plan that explain --plan-out wrote, edited or not')
    .option('--force', 'replace an existing output whatever it is')
    .option(
      '--exact-archive',
      'keep the bytes of a compressed input in the stash, so that restore gives the very file',
    )
    .option('--no-verify', 'skip the integrity check of the output')
    .action(async (files: string[], flags) => {
      const { compactCommand } = await import('./commands/compact.ts');
      done(await compactCommand(files, { ...flags, steps }, io));
    });
}

function addExplain(program: Command, io: Io, done: (code: number) => void): void {
  const steps: StepFlag[] = [];
  const command = program
    .command('explain')
    .description('show what compact would do, block by block, and write nothing')
    .argument('<files...>', 'transcripts, globs, session folders, or - for standard input');
  addCompactOptions(command, steps)
    .option('--stash <file>', 'stash of the transcript, when it is not beside it')
    .option('--plan-out <file>', 'write the plan, to be edited and applied with compact --plan')
    .option(
      '-i, --interactive',
      'choose blocks on a terminal; with --plan-out the choice is written',
    )
    .action(async (files: string[], flags) => {
      const { compactCommand } = await import('./commands/compact.ts');
      done(await compactCommand(files, { ...flags, steps, dryRun: true, explain: true }, io));
    });
}

function addRetrieve(program: Command, io: Io, done: (code: number) => void): void {
  program
    .command('retrieve')
    .description('write one original to standard output')
    .argument('[ref]', 'ref of a placeholder, or a unique prefix of 6 or more digits')
    .option(
      '--stash <file>',
      'stash to look in (default: $CTX_STASH, stashes here, the list of stashes)',
    )
    .option('--pattern <regex>', 'only lines that match (RE2 syntax), with context')
    .option('--lines <range>', 'only these lines: 10-20, 10-, -20 or 10')
    .option('--context <n>', 'lines around a match (default 5)')
    .option('--head <n>', 'only the first n lines')
    .option('--tail <n>', 'only the last n lines')
    .option('--max-tokens <n>', 'cut at a line end, and say how to go on')
    .option('--raw', 'the exact JSON bytes as they stood in the transcript')
    .option('--json', 'the original and its facts as one JSON document')
    .option('-o, --output <file>', 'write to a file')
    .option('--force', 'replace an existing file')
    .option('--list', 'list what the stash holds, by run and tool')
    .option('--export <folder>', 'write every picture and document of the stash as a file')
    .addOption(new Option('--debug', 'show the stack of an error').hideHelp())
    .action(async (ref: string | undefined, flags) => {
      const { retrieveCommand } = await import('./commands/retrieve.ts');
      done(retrieveCommand(ref, flags, io));
    });
}

function addRestore(program: Command, io: Io, done: (code: number) => void): void {
  program
    .command('restore')
    .description('undo a compaction, byte for byte')
    .argument('<file>', 'an output of compact')
    .option('--stash <file>', 'its stash (default: <file>.stash)')
    .option(
      '-o, --output <file>',
      'where the original goes (default: <stem>.restored<ext>; the file itself when it was compacted in place)',
    )
    .option('--in-place', 'restore the file where it is')
    .option('--last', 'undo only the last run')
    .option('--ref <ref>', 'restore only this original (repeatable)', list)
    .option('--format <name>', 'format of the file, when it can not be detected')
    .option('--force', 'replace an existing file')
    .option('--json', 'report as JSON')
    .addOption(new Option('--debug', 'show the stack of an error').hideHelp())
    .action(async (file: string, flags) => {
      const { restoreCommand } = await import('./commands/restore.ts');
      done(restoreCommand(file, flags, io));
    });
}

function addVerify(program: Command, io: Io, done: (code: number) => void): void {
  program
    .command('verify')
    .description('check a transcript: pairs, links, texts, placeholders and their originals')
    .argument('<files...>', 'transcripts, compacted or not')
    .option('--stash <file>', 'stash of the transcript (default: <file>.stash)')
    .option('--format <name>', 'format of the file, when it can not be detected')
    .option('--json', 'one report a line')
    .addOption(new Option('--debug', 'show the stack of an error').hideHelp())
    .action(async (files: string[], flags) => {
      const { verifyCommand } = await import('./commands/verify.ts');
      done(await verifyCommand(files, flags, io));
    });
}

function addPresets(program: Command, io: Io, done: (code: number) => void): void {
  const presets = program.command('presets').description('list the presets, or show one as flags');
  presets
    .command('list', { isDefault: true })
    .description('list the presets')
    .option('--json', 'as JSON')
    .action(async (flags) => {
      const { presetsCommand } = await import('./commands/presets.ts');
      done(presetsCommand(undefined, flags, io));
    });
  presets
    .command('show')
    .description('print the steps of a preset as flags that can be pasted')
    .argument('<name>')
    .option('--json', 'as JSON')
    .action(async (name: string, flags) => {
      const { presetsCommand } = await import('./commands/presets.ts');
      done(presetsCommand(name, flags, io));
    });
}

function addFormats(program: Command, io: Io, done: (code: number) => void): void {
  program
    .command('formats')
    .description('list the formats and what ctx can do with each')
    .option('--json', 'as JSON')
    .action(async (flags) => {
      const { formatsCommand } = await import('./commands/formats.ts');
      done(formatsCommand(flags, io));
    });
}
