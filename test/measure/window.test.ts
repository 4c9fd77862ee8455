import { afterEach, describe, expect, it, vi } from 'vitest';
import { MODEL_WINDOWS } from '../../src/measure/model-windows.ts';
import { DEFAULT_WINDOW, parseWindow, resolveWindow } from '../../src/measure/window.ts';

const windowOf = async (model: string) => {
  const { tokens, source } = await resolveWindow({ model });
  return source === 'model' ? tokens : source;
};
const table = (name: string) => MODEL_WINDOWS.find(([pattern]) => pattern.test(name))?.[1];

describe('where the window comes from', () => {
  it('takes the flag before the stash before the model', async () => {
    const model = 'claude-opus-4-6';
    expect(await resolveWindow({ flag: 5000, stash: 6000, model })).toEqual({
      tokens: 5000,
      source: 'flag',
      model,
    });
    expect(await resolveWindow({ stash: 6000, model })).toMatchObject({
      tokens: 6000,
      source: 'stash',
    });
    expect(await resolveWindow({ model })).toEqual({ tokens: 1_000_000, source: 'model', model });
  });

  it('assumes 200,000 and says so', async () => {
    const assumed = { tokens: DEFAULT_WINDOW, source: 'default' };
    expect(await resolveWindow({})).toEqual({ ...assumed, model: null });
    for (const model of ['<synthetic>', '', '/', 'my-own-model', 'claude-opus-99', 'gpt-5.99'])
      expect(await resolveWindow({ model })).toEqual({ ...assumed, model });
  });
});

describe("a model's window", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it.each([
    ['claude-sonnet-4-5-20250929', 200_000],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 200_000],
    ['bedrock/global.anthropic.claude-opus-4-6-v1', 1_000_000],
    ['arn:aws:bedrock:us-east-1:1:inference-profile/eu.anthropic.claude-opus-4-6-v1:0', 1_000_000],
    ['anthropic.claude-3-haiku-20240307-v1:0:200k', 200_000],
    ['anthropic/claude-opus-4.7', 1_000_000],
    ['anthropic/claude-3.7-sonnet:thinking', 200_000],
    ['claude-sonnet-4-5@20250929', 200_000],
    ['Claude-Opus-4-6', 1_000_000],
    ['openai/gpt-4o-2024-08-06', 128_000],
    ['o3-2025-04-16', 200_000],
  ])('finds %s under its own name', async (model, tokens) => {
    expect(await windowOf(model)).toBe(tokens);
  });

  it('reads [1m] as a million', async () => {
    expect(await windowOf('claude-sonnet-4-5-20250929[1m]')).toBe(1_000_000);
    expect(await windowOf('whatever[1M]')).toBe(1_000_000);
    expect(await windowOf('whatever[0m]')).toBe('default');
  });

  it('falls back to the table where the package has no window', async () => {
    expect(await windowOf('us.amazon.nova-pro-v1:0')).toBe(300_000);
    expect(await windowOf('amazon.nova-micro-v1:0')).toBe(128_000);
    expect(await windowOf('amazon.nova-2-lite-v1:0')).toBe(1_000_000);
    expect(await windowOf('google/gemini-2.5-pro')).toBe(1_048_576);
    expect(await windowOf('gpt-5.6-pro')).toBe(1_050_000);
  });

  it('keeps the table of the reference', () => {
    expect(
      ['claude-fable-5', 'claude-sonnet-4-20250514', 'claude-opus-4-1', 'claude-3-5-haiku'].map(
        table,
      ),
    ).toEqual([1_000_000, 1_000_000, 200_000, 200_000]);
    expect(['gpt-5.5-pro', 'gpt-5.4-nano', 'gpt-5-pro', 'gpt-5.2', 'gpt-5'].map(table)).toEqual([
      1_050_000, 272_000, 128_000, 272_000, 272_000,
    ]);
    expect(['claude-opus-4-9', 'claude-haiku-5', 'gpt-5.7', 'gpt-7', 'o5'].map(table)).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
  });

  it('never goes to the network, and takes no time over a hostile id', {
    timeout: 5000,
  }, async () => {
    const fetch = vi.fn<() => never>();
    vi.stubGlobal('fetch', fetch);
    await windowOf('claude-opus-4-6');
    for (const part of ['-v1', ':a', '/', '[1', 'claude-', '-20250101'])
      await windowOf(part.repeat(100_000));
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('--window', () => {
  it.each([
    ['200000', 200_000],
    ['200k', 200_000],
    ['1m', 1_000_000],
    ['1M', 1_000_000],
    ['1_000_000', 1_000_000],
    ['1,000,000', 1_000_000],
    ['1.5k', 1500],
    ['4.1m', 4_100_000],
    ['1000', 1000],
  ])('reads %s', (text, tokens) => {
    expect(parseWindow(text)).toBe(tokens);
  });

  it.each([
    '',
    'k',
    '999',
    '0',
    '-5',
    '1e6',
    '1,5m',
    '10,00',
    '1__000',
    '1.2345k',
    '1g',
    '9'.repeat(20),
  ])('refuses %j', (text) => {
    expect(() => parseWindow(text)).toThrow(
      expect.objectContaining({ exitCode: 2, hint: 'write 200000, 200k or 1m' }),
    );
  });
});
