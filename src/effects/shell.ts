import type { Command } from 'unbash';
import type { Effect } from './call.ts';
import { allows } from './command-rule.ts';
import { COMMANDS } from './commands.ts';
import { simpleCommands } from './script.ts';
import { fixed, plainArguments, plainName } from './words.ts';

/**
 * Whether a shell script only reads (masking-and-summary.md 10.2): read when every command in it is proven to,
 * else unknown. That a script writes is never claimed.
 */
export function shellEffect(script: string): Effect {
  const commands = simpleCommands(script);
  if (commands === undefined || commands.length === 0) return 'unknown';
  return commands.every(({ node }) => isRead(node)) ? 'read' : 'unknown';
}

/** The same for a program with its arguments, which no shell reads. */
export function argvEffect(argv: readonly string[]): Effect {
  const [name, ...args] = argv;
  const rule = name === undefined ? undefined : COMMANDS.get(name);
  return rule !== undefined && allows(rule, args.map(fixed)) ? 'read' : 'unknown';
}

/** Whether a simple command is proven to read only. Every word before its name assigns, so none is allowed. */
export function isRead(command: Command): boolean {
  const name = plainName(command);
  const rule = name === undefined ? undefined : COMMANDS.get(name);
  const args = plainArguments(command);
  if (rule === undefined || args === undefined) return false;
  return !command.prefix.some((part) => part.type === 'Assignment') && allows(rule, args);
}
