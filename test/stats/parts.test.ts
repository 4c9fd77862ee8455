/** The parts that statistics are made of. */

import { describe, expect, it } from 'vitest';
import { findPointers } from '../../src/json/pointers.ts';
import { findPointer } from '../../src/json/scan.ts';
import { bar, GLYPHS, gauge } from '../../src/report/bar.ts';
import { columnsOf, cutTo, pad } from '../../src/report/columns.ts';
import { namesFiles, pathsOf } from '../../src/stats/file-tools.ts';
import { shares } from '../../src/stats/tally.ts';

describe('paths of calls', () => {
  it.each([
    ['Read', { file_path: '/a' }, ['/a']],
    ['NotebookEdit', { notebook_path: '/n.ipynb' }, ['/n.ipynb']],
    ['read', { filePath: '/o' }, ['/o']],
    ['edit', { path: 'p' }, ['p']],
    ['read', '{"filePath":"/text"}', ['/text']],
    ['read_file', { absolute_path: '/g', path: 'never' }, ['/g']],
    ['read_many_files', { paths: ['a', 'b', 'a', 7] }, ['a', 'b']],
    ['str_replace_editor', { command: 'view', path: '/v' }, ['/v']],
    ['Read', { file_path: '' }, []],
    ['Read', { file_path: 'x'.repeat(5000) }, []],
    ['Read', 'no json', []],
    ['Read', null, []],
    ['Read', { file_path: { deep: 1 } }, []],
    [
      'apply_patch',
      '*** Begin Patch\n*** Update File: a.js\n@@\n-x\n+y\n*** Add File: b c.js\n+z\n*** End Patch',
      ['a.js', 'b c.js'],
    ],
    ['apply_patch', { input: '*** Delete File: d.js\r\n' }, ['d.js']],
    ['patch', { patchText: '*** Update File: e.js\n' }, ['e.js']],
  ])('%s %j', (tool, args, paths) => {
    expect(namesFiles(tool)).toBe(true);
    expect(pathsOf(tool, args)).toEqual(paths);
  });

  it('are read of tools that are known to name files only', () => {
    for (const tool of ['Bash', 'Grep', 'mcp__x__Read', 'constructor'])
      expect(namesFiles(tool)).toBe(false);
  });
});

describe('shares', () => {
  it.each([
    [7, 3, [3, 2, 2]],
    [0, 2, [0, 0]],
    [5, 0, []],
    [1, 2, [1, 0]],
  ])('of %i in %i', (whole, parts, expected) => {
    expect(shares(whole, parts)).toEqual(expected);
  });
});

describe('bars', () => {
  it('are whole characters in ASCII and eighths in blocks', () => {
    expect(bar(0.5, 8, GLYPHS.ascii)).toBe('####');
    expect(bar(0.5, 1, GLYPHS.blocks)).toBe('\u258c');
    expect(bar(1, 4, GLYPHS.blocks)).toBe('\u2588'.repeat(4));
  });

  it('show what is little, not what is nothing, and never more than all', () => {
    expect(bar(1e-9, 8, GLYPHS.ascii)).toBe('#');
    expect(bar(0, 8, GLYPHS.ascii)).toBe('');
    expect(bar(7, 8, GLYPHS.ascii)).toBe('########');
    expect(gauge(2, 4, GLYPHS.ascii)).toBe('####');
    expect(gauge(0.5, 4, GLYPHS.ascii)).toBe('##..');
  });
});

describe('columns', () => {
  it('count wide characters twice and what is joined once', () => {
    expect(columnsOf('abc')).toBe(3);
    expect(columnsOf('日本')).toBe(4);
    expect(columnsOf('e\u0301')).toBe(1);
    expect(columnsOf('👨‍👩‍👧')).toBe(2);
  });

  it('cut between characters and keep the wanted end', () => {
    expect(cutTo('/long/path/file.ts', 10, '…', 'end')).toBe('…h/file.ts');
    expect(cutTo('abcdef', 4, '...')).toBe('a...');
    expect(cutTo('日本語', 4, '…')).toBe('日…');
    expect(cutTo('short', 10, '…')).toBe('short');
    expect(columnsOf(cutTo('x'.repeat(1e6), 12, '…', 'end'))).toBe(12);
    expect(pad('日', 4, true)).toBe('  日');
  });
});

describe('many pointers at once', () => {
  it('find what they find one by one', () => {
    const bytes = Buffer.from(' {"a":[1,{"b/c":"x"},[]],"d":{"a":1,"a":[2]},"":null}');
    const pointers = ['', '/a', '/a/0', '/a/1/b~1c', '/a/2', '/d/a', '/d/a/0', '/', '/no', '/a/9'];
    const found = findPointers(bytes, pointers);
    for (const pointer of pointers)
      expect(found.get(pointer), pointer).toEqual(findPointer(bytes, 0, pointer));
  });

  it('take time in proportion to the record', () => {
    const count = 50_000;
    const bytes = Buffer.from(JSON.stringify(Array.from({ length: count }, () => ({ text: 'x' }))));
    const pointers = Array.from({ length: count }, (_, index) => `/${index}/text`);
    const start = performance.now();
    expect(findPointers(bytes, pointers).size).toBe(count);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
