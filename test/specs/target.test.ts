import { describe, expect, it } from 'vitest';
import { formatTarget, parseTarget } from '../../src/specs/target.ts';
import { refusal } from './refusal.ts';

describe('parseTarget', () => {
  it.each([
    ['*', '*'],
    ...['toolResults', 'tool_results', 'tool-results', 'toolresults', 'ToolResults'].map(
      (text) => [text, 'toolResults'] as const,
    ),
    ...['toolResultErrors', 'tool_result_errors', 'tool-result-errors'].map(
      (text) => [text, 'toolResultErrors'] as const,
    ),
    ...['assistantText', 'assistant_text', 'assistant-text'].map(
      (text) => [text, 'assistantText'] as const,
    ),
    ...['userText', 'user_text', 'user-text'].map((text) => [text, 'userText'] as const),
    ['media', 'media'],
  ] as const)('%s is the target %s', (text, type) => {
    expect(parseTarget(text)).toEqual({ type });
  });

  it.each([
    ['tool::Bash', ['Bash'], []],
    ['!tool::Read', [], ['Read']],
    ['!Read', [], ['Read']],
    ['tool::Bash+!tool::Read', ['Bash'], ['Read']],
    ['Bash+Read', ['Bash', 'Read'], []],
    ['bash+!python', ['bash'], ['python']],
    ['bash+ls+!bash', ['bash', 'ls'], ['bash']],
    ['!Read+!Glob', [], ['Read', 'Glob']],
    ['tool::Bash+tool::Bash', ['Bash'], []],
    ['tool::mcp__srv__find', ['mcp__srv__find'], []],
    ['tool::functions.x:0', ['functions.x:0'], []],
    ['tool::"functions.x:0"', ['functions.x:0'], []],
    ['tool::"a+b, c: !d=e"', ['a+b, c: !d=e'], []],
    [String.raw`tool::"q\"uo\\te"+!"x"`, ['q"uo\\te'], ['x']],
    ['"Bash"', ['Bash'], []],
    ['tool::media', ['media'], []],
    ['"media"+Bash', ['media', 'Bash'], []],
    ['tool::tool_results', ['tool_results'], []],
  ] as const)('%s is a list of tools', (text, include, exclude) => {
    expect(parseTarget(text)).toEqual({ type: 'tools', include, exclude });
  });

  it.each([
    ['', 'the target is empty'],
    ['tool::', 'empty name'],
    ['!', 'empty name'],
    ['!tool::', 'empty name'],
    ['tool::""', 'empty name'],
    ['Bash+', 'empty name'],
    ['+Bash', 'empty name'],
    ['Bash++Read', 'empty name'],
    ['+', 'empty name'],
    ['Bash', 'unknown target Bash'],
    ['_*', 'unknown target _*'],
    ['-media', 'unknown target -media'],
    [' toolResults', 'unknown target  toolResults'],
    ['tool:Bash', 'unknown target tool:Bash'],
    ['Bash+toolResults', 'toolResults is a target of its own'],
    ['tool_results+Bash', 'tool_results is a target of its own'],
    ['Bash+!media', 'media is a target of its own'],
    ['!toolresults', 'toolresults is a target of its own'],
    ['Bash+*', '* is a target of its own'],
    ['bash+!bash', 'cancel every included one'],
    ['a+b+!a+!b', 'cancel every included one'],
    ['tool::"Bash', 'is not closed'],
    ['tool::a"b"', 'is no plain tool name'],
    ['tool::"a"b', 'is no plain tool name'],
    ['tool::Bash,tool::Read', 'is no plain tool name'],
    ['tool::!Bash', 'is no plain tool name'],
    ['!!Bash', 'is no plain tool name'],
    ['tool::Bash + tool::Read', 'is no plain tool name'],
    ['Bash+tool:Read', 'is no plain tool name'],
  ] as const)('refuses %j', (text, message) => {
    expect(refusal(() => parseTarget(text)).message).toContain(message);
  });

  it('lists what is accepted, and how a tool is written', () => {
    const { hint } = refusal(() => parseTarget('Bash'));
    expect(hint).toContain('*, toolResults, toolResultErrors, assistantText, userText, media');
    expect(hint).toContain('for a tool write tool::NAME');
  });

  it.each([
    ['toolResult', 'did you mean toolResults?'],
    ['medai', 'did you mean media?'],
    ['user_txt', 'did you mean userText?'],
  ])('%s: a near miss is suggested', (text, guess) => {
    expect(refusal(() => parseTarget(text)).hint).toContain(guess);
  });

  it.each(['a', 'x', 'Bash'])('%s: nothing near is not guessed, least of all *', (text) => {
    expect(refusal(() => parseTarget(text)).hint).not.toContain('did you mean');
  });

  it('shows a name harmlessly and cut', () => {
    const { message } = refusal(() => parseTarget(`\u001b]0;x\u0007${'y'.repeat(500)}`));
    expect(message.length).toBeLessThan(90);
  });
});

describe('formatTarget', () => {
  it.each([
    [{ type: '*' }, '*'],
    [{ type: 'toolResults' }, 'toolResults'],
    [{ type: 'tools', include: ['Bash'], exclude: ['Read'] }, 'tool::Bash+!tool::Read'],
    [{ type: 'tools', include: ['functions.x:0'], exclude: [] }, 'tool::"functions.x:0"'],
    [{ type: 'tools', include: ['a"b\\c'], exclude: [] }, String.raw`tool::"a\"b\\c"`],
  ] as const)('%j is %s', (target, text) => {
    expect(formatTarget(target)).toBe(text);
    expect(parseTarget(text)).toEqual(target);
  });
});
