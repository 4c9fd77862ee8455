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

/** Names of `type`; other APIs write `user` and `assistant` there. */
const TYPES: Readonly<Record<string, string>> = {
  human: 'human',
  HumanMessageChunk: 'human',
  ai: 'ai',
  AIMessageChunk: 'ai',
  system: 'system',
  tool: 'tool',
  ToolMessageChunk: 'tool',
  function: 'function',
  remove: 'remove',
};

const CLASSES: Readonly<Record<string, string>> = {
  HumanMessage: 'human',
  HumanMessageChunk: 'human',
  AIMessage: 'ai',
  AIMessageChunk: 'ai',
  SystemMessage: 'system',
  ToolMessage: 'tool',
  ToolMessageChunk: 'tool',
  FunctionMessage: 'function',
  RemoveMessage: 'remove',
};

const ROLES: Readonly<Record<string, string>> = {
  user: 'human',
  human: 'human',
  assistant: 'ai',
  ai: 'ai',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'function',
};

const NAMES = { constructor: CLASSES, data: TYPES, type: TYPES, role: ROLES };

/** A message as `dumpd`, `messages_to_dict` or `model_dump` write it; undefined for anything else. */
export function shapeOf(value: unknown): Shape | undefined {
  if (!isObject(value)) return undefined;
  const kwargs = objectAt(value, 'kwargs');
  if (value['lc'] === 1 && value['type'] === 'constructor' && kwargs !== undefined) {
    const name = arrayAt(value, 'id')?.at(-1);
    return shaped(typeof name === 'string' ? name : '', kwargs, '/kwargs', 'constructor');
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
  // A message of any other role says which.
  const other = name === 'chat' || name.startsWith('ChatMessage');
  const names = other ? ROLES : NAMES[spelling];
  const own = other ? (stringAt(body, 'role') ?? '') : name;
  const type = Object.hasOwn(names, own) ? names[own] : undefined;
  return type === undefined ? undefined : { type, body, pointer, spelling };
}
