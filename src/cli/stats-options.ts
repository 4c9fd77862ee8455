import { type Command, Option } from 'commander';
import { COUNTER_NAMES } from '../measure/counter.ts';
import type { Io } from './io.ts';
import { count } from './values.ts';

/** Adds `ctx stats` to the program. */
export function addStats(program: Command, io: Io, done: (code: number) => void): void {
  program
    .command('stats')
    .description('show where the tokens and bytes went: by kind, tool, file and message')
    .argument('<files...>', 'transcripts, globs, session folders, or - for standard input')
    .option('--by <sections>', 'only these: kind, tool, file, message, block, duplicate')
    .option('--top <n>', 'rows of a section (default 10)', count)
    .option('--stash <file>', 'stash of the transcript (default: <file>.stash)')
    .option(
      '--window <tokens>',
      'context window: 200000, 200k, 1m (default: looked up by the model)',
    )
    .addOption(
      new Option('--counter <name>', 'token counter')
        .choices(['auto', ...COUNTER_NAMES])
        .default('auto'),
    )
    .option('--format <name>', 'format of the input, when it can not be detected')
    .option('--plain', 'tab-separated rows')
    .option('--json', 'as JSON (one line a file when there are several)')
    .addOption(
      new Option('--color <when>', 'colours').choices(['auto', 'always', 'never']).default('auto'),
    )
    .addOption(new Option('--debug', 'show the stack of an error').hideHelp())
    .action(async (files: string[], flags) => {
      const { statsCommand } = await import('./commands/stats.ts');
      done(await statsCommand(files, flags, io));
    });
}
