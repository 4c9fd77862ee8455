/**
 * Context windows of models that the price list may not know, in tokens. Source: the Strands SDK's table of
 * defaults, version 1.19.0.
 */
export const MODEL_WINDOWS: readonly (readonly [pattern: RegExp, tokens: number])[] = [
  [/^claude-(?:sonnet-4-6|opus-4-[678]|opus-5|sonnet-5|fable-5)/, 1_000_000],
  [/^claude-/, 200_000],
  [/^nova-(?:pro|lite)/, 300_000],
  [/^nova-micro/, 128_000],
  [/^nova-/, 1_000_000],
  [/^gpt-5\.4-(?:mini|nano)/, 272_000],
  [/^(?:gpt-5\.[456]|gpt-6)/, 1_050_000],
  [/^gpt-5-pro/, 128_000],
  [/^gpt-5/, 272_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-4(?:o|-turbo)/, 128_000],
  [/^o[134]/, 200_000],
  [/^gemini-[23]/, 1_048_576],
];
