import { commas } from './marker.ts';

/** Most characters of what describes a call; a longer one is clipped, never refused. */
const MOST = 120;

/** A line of an index: `- Read(file_path="src/a.ts"), 812 bytes, ok`. */
export function indexLine(
  tool: string,
  args: unknown,
  bytes: number,
  { failed }: { readonly failed: boolean },
): string {
  const label = clip(`${tool}(${describe(args)})`.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' '));
  return `- ${label}, ${commas(bytes)} bytes, ${failed ? 'error' : 'ok'}`;
}

function describe(args: unknown): string {
  if (typeof args === 'string') return JSON.stringify(args);
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return '';
  return Object.entries(args)
    .map(([key, value]) => `${key}=${shape(value)}`)
    .join(', ');
}

function shape(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length} items]`;
  return typeof value === 'object' && value !== null ? '{...}' : (JSON.stringify(value) ?? '');
}

function clip(text: string): string {
  const points = Array.from(text);
  return points.length <= MOST ? text : `${points.slice(0, MOST - 1).join('')}…`;
}
