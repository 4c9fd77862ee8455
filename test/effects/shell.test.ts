import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argvEffect, shellEffect } from '../../src/effects/shell.ts';
import { READS } from './read-scripts.ts';
import { COMMANDS } from './unknown-commands.ts';
import { GIT, OPTIONS } from './unknown-options.ts';
import { SYNTAX } from './unknown-syntax.ts';

const UNKNOWN = [...SYNTAX, ...COMMANDS, ...OPTIONS, ...GIT];

describe('shellEffect', () => {
  it.each(READS)('%j is a read', (script) => {
    expect(shellEffect(script)).toBe('read');
  });

  it.each(UNKNOWN)('%j is unknown', (script) => {
    expect(shellEffect(script)).toBe('unknown');
  });

  it.each([
    ['a redirect', (script: string) => `${script} > file`],
    ['appending', (script: string) => `${script} >>file`],
    ['the error output', (script: string) => `${script} 2> file`],
    ['a redirect in front', (script: string) => `> file ${script}`],
    ['another command', (script: string) => `${script}; rm file`],
    ['another line', (script: string) => `${script}\nrm file`],
    ['a pipe', (script: string) => `${script} | tee file`],
    ['the background', (script: string) => `${script} &`],
    ['a subshell', (script: string) => `(${script})`],
    ['a variable', (script: string) => `A=1 ${script}`],
    ['a program in front', (script: string) => `sudo ${script}`],
    ['a substitution', (script: string) => `${script} "$(rm file)"`],
  ])('no read stays one with %s', (_, change) => {
    // A comment would hide what is added behind it.
    const open = READS.filter((script) => !script.includes('#'));
    fc.assert(
      fc.property(fc.constantFrom(...open), (script) => {
        expect(shellEffect(change(script))).toBe('unknown');
      }),
    );
  });

  it('never throws, and reads nothing into noise', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(['read', 'unknown']).toContain(shellEffect(text));
        expect(shellEffect(`rm ${text}`)).toBe('unknown');
      }),
    );
  });

  it.each(['$(', '(', '<(', '"$(', '"${a:-', '`'])('survives %j a thousand times', (open) => {
    expect(shellEffect(`ls ${open.repeat(1000)}`)).toBe('unknown');
  });
});

describe('argvEffect', () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [['ls', '-la'], 'read'],
    [['grep', '-n', '$(rm x) > y; rm z', 'file'], 'read'],
    [['git', 'diff', '--stat'], 'read'],
    [['git', '-C', 'sub', 'log'], 'read'],
    [['git', '-c', 'core.pager=x', 'log'], 'unknown'],
    [['sort', '-ofile', 'a'], 'unknown'],
    [['rm', 'x'], 'unknown'],
    [['ls -la'], 'unknown'],
    [['/bin/ls'], 'unknown'],
    [['FOO=1', 'ls'], 'unknown'],
    [['bash', '-c', 'ls'], 'unknown'],
    [[''], 'unknown'],
    [[], 'unknown'],
  ];
  it.each(cases)('%j is %s', (argv, expected) => {
    expect(argvEffect(argv)).toBe(expected);
  });
});
