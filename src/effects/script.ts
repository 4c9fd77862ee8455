import { type Command, type CommandNode, type PipelineNode, parse, type Statement } from 'unbash';

/** A simple command of a script, and its source text. */
export interface SimpleCommand {
  readonly text: string;
  readonly node: Command;
}

/**
 * The simple commands of a script that only joins them with `| && || ;` and newlines.
 * Undefined for anything else: a parse error, the background, `time`, a loop, a condition, a group, a function.
 */
export function simpleCommands(script: string): readonly SimpleCommand[] | undefined {
  const parsed = parse(script);
  if (parsed.errors !== undefined && parsed.errors.length > 0) return undefined;
  const nodes: Command[] = [];
  if (!parsed.commands.every((statement) => takeStatement(statement, nodes))) return undefined;
  return nodes.map((node) => ({ text: script.slice(node.pos, node.end), node }));
}

function takeStatement(statement: Statement, into: Command[]): boolean {
  if (statement.background === true) return false;
  const { command } = statement;
  if (command.type !== 'AndOr') return takePipeline(command, into);
  return command.commands.every((part) => takePipeline(part, into));
}

function takePipeline(node: PipelineNode, into: Command[]): boolean {
  if (node.type !== 'Pipeline') return takeCommand(node, into);
  if (node.prefixes.some((prefix) => prefix.type !== 'Negation')) return false;
  return node.commands.every((part) => takeCommand(part, into));
}

function takeCommand(node: CommandNode, into: Command[]): boolean {
  if (node.type !== 'Command') return false;
  into.push(node);
  return true;
}
