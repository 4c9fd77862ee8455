import { describe, expect, it } from 'vitest';
import type { BlockKind } from '../../src/model/conversation.ts';
import {
  type BlockFacts,
  isRetrievalTool,
  matchesBlock,
  RETRIEVAL_TOOLS,
} from '../../src/specs/match.ts';
import type { Target } from '../../src/specs/spec.ts';
import { parseTarget } from '../../src/specs/target.ts';

const KINDS: readonly BlockKind[] = [
  ...(['text', 'thinking', 'toolCall', 'toolResult', 'image'] as const),
  ...(['document', 'video', 'audio', 'opaque'] as const),
];
const NAMED = ['*', 'toolResults', 'toolResultErrors', 'assistantText', 'userText', 'media'];
const TARGETS = [...NAMED, 'tool::Bash', '!tool::Read'].map(parseTarget);

function block(facts: Partial<BlockFacts> & { readonly kind: BlockKind }): BlockFacts {
  return { role: 'user', blank: false, signed: false, ...facts };
}

const bash = block({ kind: 'toolResult', tool: 'Bash' });
const names = (found: readonly Target[]) =>
  found.map((target) => ('include' in target ? 'tools' : target.type));
const matching = (facts: BlockFacts) =>
  names(TARGETS.filter((target) => matchesBlock(target, facts)));

describe('matchesBlock (section 2)', () => {
  it.each([
    ['a result that succeeded', { ...bash, isError: false }, ['toolResults', 'tools', 'tools']],
    ['a result of unknown status', bash, ['toolResults', 'tools', 'tools']],
    ['a result that failed', { ...bash, isError: true }, ['toolResultErrors', 'tools', 'tools']],
    ['a result of another tool', { ...bash, tool: 'Read' }, ['toolResults']],
    ['a result of a third tool', { ...bash, tool: 'Glob' }, ['toolResults', 'tools']],
    ['a result in an assistant message', { ...bash, role: 'assistant' }, []],
    ['a result in a system message', { ...bash, role: 'system' }, []],
    ['a result that is blank', { ...bash, blank: true }, ['toolResults', 'tools', 'tools']],
    ['text of the assistant', block({ kind: 'text', role: 'assistant' }), ['assistantText']],
    ['text of the user', block({ kind: 'text' }), ['userText']],
    ['text of the system', block({ kind: 'text', role: 'system' }), []],
    ['blank text of the assistant', block({ kind: 'text', role: 'assistant', blank: true }), []],
    ['blank text of the user', block({ kind: 'text', blank: true }), []],
  ] as const)('%s', (_, facts, targets) => {
    expect(matching(facts)).toEqual(targets);
  });

  it('takes media of a message as media, and nothing else as media', () => {
    const media = ['image', 'document', 'video', 'audio'];
    for (const kind of KINDS) {
      expect(matchesBlock({ type: 'media' }, block({ kind }))).toBe(media.includes(kind));
      expect(matching(block({ kind })).includes('media')).toBe(media.includes(kind));
    }
  });

  it.each(['thinking', 'toolCall', 'opaque'] as const)('%s is never matched', (kind) => {
    for (const role of ['user', 'assistant', 'system'] as const)
      expect(matching(block({ kind, role, tool: 'Bash', isError: true }))).toEqual([]);
  });

  it('* works on messages and takes no block', () => {
    for (const kind of KINDS) expect(matchesBlock({ type: '*' }, block({ kind }))).toBe(false);
  });

  it.each([
    ['tool::Bash', 'Bash', true],
    ['tool::Bash', 'bash', false],
    ['tool::Bash', 'BashOutput', false],
    ['Bash+Read', 'Read', true],
    ['Bash+!Read', 'Bash', true],
    ['Bash+!Read', 'Read', false],
    ['Bash+!Read', 'Glob', false],
    ['bash+ls+!bash', 'ls', true],
    ['bash+ls+!bash', 'bash', false],
    ['!Read', 'Bash', true],
    ['!Read', 'Read', false],
  ])('%s on a result of %s: %s', (target, tool, matches) => {
    expect(matchesBlock(parseTarget(target), { ...bash, tool })).toBe(matches);
    expect(matchesBlock(parseTarget(target), { ...bash, tool, isError: true })).toBe(matches);
  });

  it.each(['tool::Bash', '!tool::Read'])('%s: an unknown tool passes neither way', (target) => {
    expect(matchesBlock(parseTarget(target), block({ kind: 'toolResult' }))).toBe(false);
    expect(matchesBlock(parseTarget(target), { ...bash, tool: '' })).toBe(false);
  });
});

describe('results of a retrieval', () => {
  it.each([
    ...RETRIEVAL_TOOLS,
    'mcp__x__retrieve_context',
    'mcp__ctx__ctx_retrieve',
    'functions.retrieve_context',
  ])('%s is never offloaded again', (tool) => {
    expect(isRetrievalTool(tool)).toBe(true);
    for (const isError of [true, false]) {
      expect(matching({ ...bash, tool, isError })).toEqual([]);
      const named = { type: 'tools', include: [tool], exclude: [] } as const;
      expect(matchesBlock(named, { ...bash, tool, isError })).toBe(false);
    }
  });

  it.each([undefined, '', 'Bash', 'retrieve_context_x', 'my_retrieve_context', 'Retrieve_Context'])(
    '%s is an ordinary tool',
    (tool) => {
      expect(isRetrievalTool(tool)).toBe(false);
    },
  );
});
