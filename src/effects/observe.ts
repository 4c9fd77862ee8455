import { compactJson } from '../json/compact.ts';
import type { ObserveRule, ToolCall } from './call.ts';
import { commandOf, isShellTool } from './command-of.ts';
import { globMatches } from './glob.ts';
import { type SimpleCommand, simpleCommands } from './script.ts';
import { isRead } from './shell.ts';
import { plainArguments } from './words.ts';

/** Whether the user declared a call to be an observation (`--observe`). */
export function isObserved(call: ToolCall, rules: readonly ObserveRule[]): boolean {
  const own = rules.filter((rule) => rule.tool === call.tool);
  if (own.some((rule) => rule.pattern === undefined)) return true;
  const patterns = own.flatMap((rule) => rule.pattern ?? []);
  if (patterns.length === 0) return false;
  return isShellTool(call.tool)
    ? isCommandObserved(call, patterns)
    : matchesAny(textOf(call.args), patterns);
}

function isCommandObserved(call: ToolCall, patterns: readonly string[]): boolean {
  const command = commandOf(call);
  if (command === undefined) return false;
  if ('argv' in command) return matchesAny(command.argv.join(' '), patterns);
  // Who wrote the whole command down meant it.
  if (patterns.includes(command.script)) return true;
  const parts = simpleCommands(command.script) ?? [];
  const covered = parts.map((part) => coverOf(part, patterns));
  return covered.includes('pattern') && !covered.includes('nothing');
}

/** Each command of a script for itself, or `npm test*` would take `npm test; rm x` too. */
function coverOf(
  { node, text }: SimpleCommand,
  patterns: readonly string[],
): 'pattern' | 'read' | 'nothing' {
  // A star must not swallow a redirect or a substitution either.
  if (plainArguments(node) !== undefined && matchesAny(text, patterns)) return 'pattern';
  return isRead(node) ? 'read' : 'nothing';
}

function matchesAny(text: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => globMatches(pattern, text));
}

function textOf(args: unknown): string {
  return typeof args === 'string' ? args : compactJson(args);
}
