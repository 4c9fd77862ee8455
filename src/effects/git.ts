import type { CommandRule } from './command-rule.ts';

// Options that write a file or run a program, wherever git knows them.
const READ: CommandRule = {
  short: 'O',
  long: ['output', 'ext-diff', 'open-files-in-pager', 'textconv', 'filters', 'show-signature'],
};

const READS: readonly string[] = [
  'status',
  'log',
  'show',
  'diff',
  'blame',
  'ls-files',
  'ls-tree',
  'rev-parse',
  'describe',
  'cat-file',
  'grep',
  'shortlog',
];

const BRANCH: CommandRule = {
  options: [
    '--list',
    '--show-current',
    '--all',
    '--remotes',
    '--verbose',
    '--no-color',
    '--sort=',
    '-a',
    '-r',
    '-v',
    '-vv',
    '-av',
    '-avv',
    '-rv',
    '-rvv',
    '--format=',
  ],
  // Without --list an operand is a new branch, also after -v.
  operandsWith: ['--list'],
};

const TAG: CommandRule = {
  options: ['-l', '--list', '--sort=', '--format='],
  operandsWith: ['-l', '--list'],
};

const CONFIG: CommandRule = {
  options: [
    '--get',
    '--get-all',
    '--get-regexp',
    '--list',
    '-l',
    '--global',
    '--local',
    '--system',
    '--show-origin',
  ],
  // Without them a second operand is a value to set, and one alone is not worth the doubt.
  operandsWith: ['--get', '--get-all', '--get-regexp'],
};

/** The subcommands of git that read (masking-and-summary.md 10.2); `-c`, which can name any program, is not allowed. */
export const GIT: CommandRule = {
  globals: new Map([
    ['--no-pager', 0],
    ['-C', 1],
  ]),
  subs: new Map<string, CommandRule>([
    ...READS.map((name) => [name, READ] as const),
    ['branch', BRANCH],
    ['tag', TAG],
    ['config', CONFIG],
    ['remote', { options: ['-v', '--verbose'], most: 0 }],
    ['stash', { subs: new Map([['list', READ]]) }],
  ]),
};
