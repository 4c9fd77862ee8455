import { type Command, Option } from 'commander';
import { COUNTER_NAMES } from '../measure/counter.ts';
import type { Method } from '../specs/spec.ts';
import { addGuardOptions } from './guard-options.ts';
import { addMaskingOptions, addStepOptions } from './masking-options.ts';

/** A strategy flag or a preset, in the order of the command line. */
export type StepFlag =
  | { readonly method: Method; readonly spec: string }
  | { readonly preset: string };

type StepReader = (method: Method) => (spec: string) => string;

/** Flags that compact and explain share. Strategy flags and presets keep their order in `steps`. */
export function addCompactOptions(command: Command, steps: StepFlag[]): Command {
  const step: StepReader = (method) => (spec) => {
    steps.push({ method, spec });
    return spec;
  };
  command.option(
    '-p, --preset <name>',
    'a named list of steps (default: auto); combines with flags, in order',
    (preset: string) => {
      steps.push({ preset });
      return preset;
    },
  );
  addStepOptions(command, step, 'offload');
  addStepOptions(command, step, 'cleaner');
  addMaskingOptions(command, step);
  addGuardOptions(command);
  return command
    .option(
      '--emergency',
      'drop the oldest messages while the window is over-full after every step',
    )
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
    .option('--from-journal', 'of a OneRingAI session, read the history journal beside it instead')
    .option('--no-protect-ends', 'do not protect the first user message and the live end')
    .addOption(
      new Option(
        '--marker-hint <how>',
        'what markers say on how to fetch an original; nothing without it',
      ).choices(['none', 'cli']),
    )
    .option(
      '--native',
      "hide tool results by the client's own mark, where the format has one; it then sends a text of its own",
    )
    .option(
      '--fail-if-over <limit>',
      'exit 1 when more tokens are left: a number, or N% of the window',
    )
    .option(
      '--target-tokens <n>',
      'run the steps from the least destructive on until so many tokens are left, or N% of the message tokens',
    )
    .option('--min-savings <tokens>', 'do nothing when less would be saved')
    .option('--all', 'show every block, not only those that change')
    .option('--plain', 'tab-separated rows')
    .option('--json', 'report as JSON (one line a file when there are several)')
    .option('-q, --quiet', 'print nothing but errors')
    .addOption(
      new Option('--color <when>', 'colours').choices(['auto', 'always', 'never']).default('auto'),
    )
    .addOption(new Option('--debug', 'show the stack of an error').hideHelp())
    .addHelpText('after', SPEC_HELP);
}

const SPEC_HELP = `
Targets: * (whole messages), toolResults, toolResultErrors, assistantText, userText, media,
or tools: 'tool::Bash+tool::Read', '!tool::Read'.
Conditions: blockThreshold (tokens, or N% of the window), contextUtilization (tokens, or N% of the
window), preserveRecent (newest matching messages, or N% of the matching messages).
Options of the masking family are NAME=VALUE alone: --mask 'preserveRecentTurns=0,preserveRecentMessages=8'.
`;
