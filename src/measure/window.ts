export async function resolveWindow(input: {
  flag?: number;
  model?: string;
  stash?: number;
}): Promise<{
  tokens: number;
  source: 'flag' | 'model' | 'stash' | 'default';
  model: string | null;
}> {
  const model = input.model ?? null;
  if (input.flag !== undefined) return { tokens: input.flag, source: 'flag', model };
  return { tokens: 200000, source: 'default', model };
}
export function parseWindow(text: string): number {
  return Number(text);
}
