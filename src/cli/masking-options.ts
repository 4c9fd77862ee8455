import { type Command, InvalidArgumentError, Option } from 'commander';
import { METHODS, type MethodFacts, methodsOf } from '../specs/methods.ts';
import type { Method } from '../specs/spec.ts';
import { count, list } from './values.ts';

const MASKING = 'Masking and structured summaries:';
const SUMMARIES = 'Summarizers:';
const GROUPS: Readonly<Record<MethodFacts['family'], string>> = {
  offload: 'Offload strategies:',
  cleaner: 'Cleaners:',
  masking: MASKING,
};

type StepReader = (method: Method) => (spec: string) => string;

/** Steps of a family, by the one table of methods. */
export function addStepOptions(
  command: Command,
  step: StepReader,
  family: MethodFacts['family'],
): Command {
  for (const method of methodsOf(family)) {
    const value = family === 'offload' ? '<spec>' : '[options]';
    const option = new Option(`--${method} ${value}`, METHODS[method].help);
    command.addOption(option.argParser(step(method)).helpGroup(GROUPS[family]));
  }
  return command;
}

/** Steps and flags of the masking family, and of summarizers, effects and observations. */
export function addMaskingOptions(command: Command, step: StepReader): Command {
  addStepOptions(command, step, 'masking');
  command
    .addOption(
      grouped('--preserve-turns <n>', MASKING, 'newest user turns that stay exact').argParser(
        count,
      ),
    )
    .addOption(
      grouped('--preserve-messages <n>', MASKING, 'newest messages that stay exact').argParser(
        count,
      ),
    )
    .addOption(grouped('--mask-errors', MASKING, 'mask failed reads too'))
    .addOption(grouped('--strict-signatures', MASKING, 'a signed thought protects its whole group'))
    .addOption(grouped('--merge-capsules', MASKING, 'earlier capsules join the new one'))
    .addOption(grouped('--summarize-inline-text', MASKING, 'also narration beside a call'))
    .addOption(
      grouped(
        '--effect <tool=effect>',
        MASKING,
        'a tool only reads, or writes: NAME=read, NAME=write (repeatable)',
      ).argParser(list),
    )
    .addOption(
      grouped(
        '--observe <tool[:glob]>',
        MASKING,
        "calls to treat as reads: 'Bash:npm test*' (repeatable)",
      ).argParser(list),
    )
    .addOption(
      grouped(
        '--tools <file>',
        MASKING,
        'tool manifest with readOnlyHint (JSON of MCP tools/list)',
      ),
    );
  return addSummarizerOptions(command);
}

function addSummarizerOptions(command: Command): Command {
  return command
    .addOption(
      grouped(
        '--summarizer <how>',
        SUMMARIES,
        "extractive (built in), 'command:PROGRAM ARGS', openai:MODEL, anthropic:MODEL",
      ).default('extractive'),
    )
    .addOption(
      grouped('--summarizer-input <form>', SUMMARIES, 'what a program reads on standard input')
        .choices(['json', 'text'])
        .default('json'),
    )
    .addOption(
      grouped(
        '--summarizer-timeout <seconds>',
        SUMMARIES,
        'deadline of one answer (default 30)',
      ).argParser(seconds),
    )
    .addOption(
      grouped(
        '--summarizer-concurrency <n>',
        SUMMARIES,
        'answers asked for at once (default 4)',
      ).argParser(atLeastOne),
    )
    .addOption(
      grouped('--fallback <what>', SUMMARIES, 'after a failed structured summary').choices([
        'mask',
        'error',
      ]),
    )
    .addOption(
      grouped(
        '--repair <n>',
        SUMMARIES,
        'further attempts at a malformed answer: 0 or 1',
      ).argParser(count),
    )
    .addOption(
      grouped(
        '--allow-transfer',
        SUMMARIES,
        'texts may go to the summarizer; without it nothing leaves this machine',
      ),
    );
}

function grouped(flags: string, group: string, description: string): Option {
  return new Option(flags, description).helpGroup(group);
}

function seconds(text: string): number {
  const value = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('write a number of seconds above 0');
}

function atLeastOne(text: string): number {
  const value = count(text);
  if (value > 0) return value;
  throw new InvalidArgumentError('write a whole number of at least 1');
}
