import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Method } from '../specs/spec.ts';
import { count, list } from './values.ts';

const CLEANERS: readonly (readonly [Method, string])[] = [
  ['dedupe', 'of equal outputs, injected texts and records keep one; keep=newest|oldest'],
  ['superseded-reads', 'drop reads of files that were written or read again later'],
  ['error-inputs', 'drop bulky inputs of calls that failed and then succeeded'],
  ['thinking', 'take whole thoughts of finished turns out; keep=N turns'],
  ['media', 'keep the newest pictures and documents; keep=N'],
  ['ui-copies', 'shorten copies that no model sees; minBytes=N'],
  ['whitespace-lines', 'fold runs of blank or repeated lines; minLines=N'],
];

/** Steps that take out what is redundant. */
export function addCleanerOptions(
  command: Command,
  step: (method: Method) => (spec: string) => string,
): Command {
  for (const [method, text] of CLEANERS)
    command.addOption(grouped(`--${method} [options]`, 'Cleaners:', text).argParser(step(method)));
  return command;
}

/** Steps and flags of the masking family, and of summarizers, effects and observations. */
export function addMaskingOptions(
  command: Command,
  step: (method: Method) => (spec: string) => string,
): Command {
  command
    .addOption(
      grouped(
        '--mask [options]',
        MASKING,
        'replace what older reads brought back by one line',
      ).argParser(step('mask')),
    )
    .addOption(
      grouped(
        '--structured-summary [options]',
        MASKING,
        'mask, take older narration out, and add a capsule of seven sections',
      ).argParser(step('structured-summary')),
    )
    .addOption(
      grouped(
        '--algorithmic [options]',
        MASKING,
        'results over 1024 bytes to one line, older small pairs to an index',
      ).argParser(step('algorithmic')),
    )
    .addOption(
      grouped(
        '--native-history [options]',
        MASKING,
        'older messages to a capsule, user text and writes too',
      ).argParser(step('native-history')),
    )
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
      )
        .argParser(list)
        .default([]),
    )
    .addOption(
      grouped(
        '--observe <tool[:glob]>',
        MASKING,
        "calls to treat as reads: 'Bash:npm test*' (repeatable)",
      )
        .argParser(list)
        .default([]),
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

const MASKING = 'Masking and structured summaries:';
const SUMMARIES = 'Summarizers:';

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
