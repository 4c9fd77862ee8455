import type { CommandRule } from './command-rule.ts';
import { GIT } from './git.ts';

// Nothing that these are given makes them write or run anything.
const FREE: readonly string[] = [
  'cat head tail wc ls pwd stat du grep egrep fgrep cut tr nl od hexdump cmp comm jq',
  'basename dirname realpath readlink which type whoami id uname printenv echo true cd',
  'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum',
].flatMap((line) => line.split(' '));

// `-v` takes the name of a variable, whose index a shell evaluates, commands too; zsh evaluates numbers as well.
const TEST: CommandRule = { short: 'vR', without: ['$(', '`', '['] };

/**
 * The commands that are known to read, with what they must not be given (masking-and-summary.md 10.2).
 * A name that is not here may do anything.
 */
export const COMMANDS: ReadonlyMap<string, CommandRule> = new Map<string, CommandRule>([
  ...FREE.map((name) => [name, {}] as const),
  ['[', TEST],
  ['test', TEST],
  ['printf', { short: 'v' }],
  ['df', { long: ['sync'] }],
  ['file', { short: 'C', long: ['compile'] }],
  // -R runs tree again with -o in every folder.
  ['tree', { short: 'oR', long: ['output'] }],
  // --search-zip and --hostname-bin run programs, as --pre does.
  ['rg', { short: 'z', long: ['pre', 'hostname-bin', 'search-zip'] }],
  ['find', { starts: ['-delete', '-exec', '-ok', '-fprint', '-fls'] }],
  ['fd', { short: 'xX', long: ['exec', 'exec-batch'] }],
  ['sort', { short: 'o', long: ['output', 'compress-program'] }],
  // The second operand is the output.
  ['uniq', { most: 1, valued: 'fsw' }],
  ['xxd', { short: 'r', long: ['revert'], most: 1, valued: 'lcsg' }],
  // --paginate runs pr.
  ['diff', { short: 'l', long: ['output', 'paginate'] }],
  // Any other operand sets the clock.
  ['date', { short: 's', long: ['set'], operand: '+', valued: 'drf' }],
  // An operand is a variable to set or a command to run.
  ['env', { options: ['-0', '--null'], most: 0 }],
  ['git', GIT],
  [
    'npm',
    {
      subs: new Map([
        ['ls', {}],
        ['view', {}],
      ]),
    },
  ],
  // --log writes a file, --python runs another program.
  ['pip', { subs: new Map(['list', 'show'].map((it) => [it, { long: ['log', 'python'] }])) }],
  // --config and -Z can name a compiler to run.
  ['cargo', { subs: new Map([['tree', { short: 'Z', long: ['config'] }]]) }],
]);
