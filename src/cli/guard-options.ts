import { type Command, Option } from 'commander';
import { usageError } from '../errors.ts';
import type { Selection } from '../plan/selection.ts';
import type { PrepareOptions } from '../prepare.ts';
import { parseTarget } from '../specs/target.ts';
import { count, list } from './values.ts';

const GUARD = 'Protection and selection:';

export interface GuardFlags {
  readonly protect?: readonly string[];
  readonly from?: number;
  readonly to?: number;
  readonly last?: number;
  readonly only?: string;
  readonly conversation?: string;
  readonly keepPrefix?: number;
  readonly includeDead?: boolean;
  readonly native?: boolean;
}

/** What every strategy leaves alone, and what it may act on. */
export function addGuardOptions(command: Command): Command {
  return command
    .addOption(
      option(
        '--protect <rule>',
        "'tool::NAME', 'file:GLOB', 'text:/PATTERN/', 'message:12-18', 'ref:REF' (repeatable)",
      ).argParser(list),
    )
    .addOption(option('--from <message>', 'act from this message on').argParser(count))
    .addOption(option('--to <message>', 'act up to this message').argParser(count))
    .addOption(option('--last <n>', 'act on the last N messages only').argParser(count))
    .addOption(option('--only <target>', "act on these blocks only: 'tool::Bash', userText"))
    .addOption(option('--conversation <id>', 'act on this conversation only'))
    .addOption(option('--keep-prefix <message>', 'act only after this message').argParser(count))
    .addOption(option('--include-dead', 'also edit blocks that resuming does not send'));
}

function option(flags: string, text: string): Option {
  return new Option(flags, text).helpGroup(GUARD);
}

/** The flags as options of a run. @throws CtxError with exit 2 for a rule or a target that can't be read. */
export async function guardOptions(
  flags: GuardFlags,
): Promise<Pick<PrepareOptions, 'protect' | 'selection' | 'includeDead' | 'native'>> {
  const { protect = [], from = 0, keepPrefix, to, last, only, conversation } = flags;
  if (to !== undefined && from > to)
    throw usageError(`--from ${from} is after --to ${to}`, 'write the smaller number first');
  const first = Math.max(from, keepPrefix === undefined ? 0 : keepPrefix + 1);
  const selection: Selection = {
    ...(first === 0 ? {} : { from: first }),
    ...(to === undefined ? {} : { to }),
    ...(last === undefined ? {} : { last }),
    ...(only === undefined ? {} : { only: parseTarget(only) }),
    ...(conversation === undefined ? {} : { conversation }),
  };
  return {
    protect: protect.length === 0 ? [] : await rules(protect),
    selection,
    includeDead: flags.includeDead ?? false,
    native: flags.native ?? false,
  };
}

/** Patterns need an engine that is loaded only when there is one. */
async function rules(texts: readonly string[]): Promise<PrepareOptions['protect'] & {}> {
  const { parseProtect } = await import('../specs/protect.ts');
  return texts.map(parseProtect);
}
