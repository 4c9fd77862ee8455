import { arrayAt, isObject, type Json, objectAt, stringAt } from '../value.ts';

/** A stored message, whatever its spelling. */
export interface Shape {
  /** human, ai, system, tool, function or remove. */
  readonly type: string;
  readonly body: Json;
  /** Pointer of the body in the record. */
  readonly pointer: string;
  readonly spelling: 'constructor' | 'data' | 'type' | 'role';
}

const TYPES: Readonly<Record<string, string>> = {
  human: 'human',
  HumanMessage: 'human',
  HumanMessageChunk: 'human',
  user: 'human',
  ai: 'ai',
  AIMessage: 'ai',
  AIMessageChunk: 'ai',
  assistant: 'ai',
  system: 'system',
  SystemMessage: 'system',
  developer: 'system',
  tool: 'tool',
  ToolMessage: 'tool',
  ToolMessageChunk: 'tool',
  function: 'function',
  FunctionMessage: 'function',
  remove: 'remove',
  RemoveMessage: 'remove',
};

/** A message as `dumpd`, `messages_to_dict` or `model_dump` write it; undefined for anything else. */
export function shapeOf(value: unknown): Shape | undefined {
  if (!isObject(value)) return undefined;
  const kwargs = objectAt(value, 'kwargs');
  if (value['lc'] === 1 && value['type'] === 'constructor' && kwargs !== undefined) {
    const name = String(arrayAt(value, 'id')?.at(-1) ?? '');
    return shaped(name.startsWith('ChatMessage') ? 'chat' : name, kwargs, '/kwargs', 'constructor');
  }
  const type = stringAt(value, 'type');
  const data = objectAt(value, 'data');
  if (type !== undefined && data !== undefined) return shaped(type, data, '/data', 'data');
  // Chat messages of other APIs have no `type`, and blocks no `content` beside it.
  if (type !== undefined && (value['content'] !== undefined || type === 'remove'))
    return shaped(type, value, '', 'type');
  const role = stringAt(value, 'role');
  return role === undefined ? undefined : shaped(role, value, '', 'role');
}

function shaped(
  name: string,
  body: Json,
  pointer: string,
  spelling: Shape['spelling'],
): Shape | undefined {
  const own = name === 'chat' || name === 'ChatMessage' ? (stringAt(body, 'role') ?? '') : name;
  const type = Object.hasOwn(TYPES, own) ? TYPES[own] : undefined;
  return type === undefined ? undefined : { type, body, pointer, spelling };
}
