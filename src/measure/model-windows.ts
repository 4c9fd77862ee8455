/**
 * Context windows of models that the price list may not know, in tokens; the first pattern that matches counts.
 * Patterns are held against a model's id and its shorter names, without date and provider. Source: offload
 * semantics, section 11 (the Strands SDK's defaults, version 1.19.0). A model that is not named there is not
 * guessed: an assumed window is reported as such.
 */
export const MODEL_WINDOWS: readonly (readonly [pattern: RegExp, tokens: number])[] = [
  [/^claude-(?:sonnet-4[.-]6|opus-4[.-][678]|(?:opus|sonnet|fable)-5)$/, 1_000_000],
  [/^claude-sonnet-4-20250514$/, 1_000_000],
  [/^claude-(?:sonnet-4[.-]5|opus-4(?:[.-][15])?|haiku-4[.-]5)$/, 200_000],
  [/^claude-3(?!\d)/, 200_000],
  [/^nova-(?:pro|lite)/, 300_000],
  [/^nova-micro/, 128_000],
  [/^nova-(?:premier|2)/, 1_000_000],
  [/^gpt-5\.4-(?:mini|nano)/, 272_000],
  [/^(?:gpt-5\.[456]|gpt-6-astra)(?!\d)/, 1_050_000],
  [/^gpt-5-pro/, 128_000],
  [/^gpt-5(?:\.[12])?(?![.\d])/, 272_000],
  [/^gpt-4\.1(?!\d)/, 1_047_576],
  [/^gpt-4(?:o|-turbo)/, 128_000],
  [/^(?:o[13]|o4-mini)(?!\d)/, 200_000],
  [/^gemini-[23](?!\d)/, 1_048_576],
];
