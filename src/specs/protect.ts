import { RE2JS } from 're2js';
import { usageError } from '../errors.ts';
import { shown } from './shown.ts';
import type { Target } from './spec.ts';
import { parseTarget } from './target.ts';

/** What a person, or a default, keeps every strategy away from. */
export type ProtectRule =
  | { readonly type: 'tool'; readonly text: string; readonly target: Target }
  | { readonly type: 'file'; readonly text: string; readonly matches: (path: string) => boolean }
  | { readonly type: 'text'; readonly text: string; readonly matches: (text: string) => boolean }
  | { readonly type: 'message'; readonly text: string; readonly from: number; readonly to: number }
  | { readonly type: 'ref'; readonly text: string; readonly ref: string };

const FORMS =
  "write 'tool::NAME', 'file:GLOB', 'text:/PATTERN/', 'message:N', 'message:N-M' or 'ref:REF'";

/**
 * Reads a rule of `--protect`.
 * @throws CtxError with exit 2: unknown form, broken pattern, empty range.
 */
export function parseProtect(text: string): ProtectRule {
  if (/^!?tool::/.test(text)) return { type: 'tool', text, target: parseTarget(text) };
  const [, form = '', value = ''] = /^(file|text|message|ref):(.+)$/s.exec(text) ?? [];
  switch (form) {
    case 'file':
      return { type: 'file', text, matches: pathMatcher(value) };
    case 'text':
      return { type: 'text', text, matches: textMatcher(value) };
    case 'message':
      return { type: 'message', text, ...messageRange(value) };
    case 'ref':
      return { type: 'ref', text, ref: refDigits(value) };
    default:
      throw usageError(`--protect ${shown(text)} is no rule`, FORMS);
  }
}

/** Messages by their numbers: `12`, `12-18`, `12-` or `-18`. @throws CtxError with exit 2. */
function messageRange(text: string): { readonly from: number; readonly to: number } {
  const [, first, dash, last] = /^(\d*)(-?)(\d*)$/.exec(text) ?? [];
  if (first === undefined || (first === '' && last === ''))
    throw usageError(`${shown(text)} is no range of messages`, 'write 12, 12-18, 12- or -18');
  const from = first === '' ? 0 : Number(first);
  const to = dash === '' ? from : last === '' ? Number.POSITIVE_INFINITY : Number(last);
  if (from <= to) return { from, to };
  throw usageError(`the range ${shown(text)} is empty`, 'write the smaller number first');
}

/** `**` takes folders, `*` a part of a name, `?` one character; a pattern without `/` matches a name anywhere. */
function pathMatcher(glob: string): (path: string) => boolean {
  const pattern = glob.replace(/\*\*\/|\*\*|[*?]|[^*?]+/g, (part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : RE2JS.quote(part);
  });
  const anywhere = glob.includes('/') ? '' : '(?:.*/)?';
  const compiled = RE2JS.compile(`${anywhere}${pattern}`);
  return (path) => compiled.matches(path.replaceAll('\\', '/'));
}

/** A ref, or as many of its first digits as `retrieve` takes. @throws CtxError with exit 2. */
function refDigits(text: string): string {
  if (/^[0-9a-f]{6,64}$/i.test(text)) return text.toLowerCase();
  throw usageError(`${shown(text)} is no ref`, 'write ref: and at least 6 of its hex digits');
}

/** @throws CtxError with exit 2: a broken pattern, or a flag that would silently make it match nothing. */
function textMatcher(text: string): (text: string) => boolean {
  const [, source = text, flags = ''] = /^\/(.*)\/([a-z]*)$/is.exec(text) ?? [];
  const unknown = /[^ims]/.exec(flags);
  if (unknown !== null)
    throw usageError(
      `text:${shown(text)} has the unknown flag ${unknown[0]}`,
      'the flags are i, m and s; write text:/MUST|NEVER/i',
    );
  try {
    const compiled = RE2JS.compile(flags === '' ? source : `(?${flags})${source}`);
    return (value) => compiled.matcher(value).find();
  } catch (cause) {
    throw usageError(
      `text:${shown(text)} is no pattern: ${(cause as Error).message.split('\n')[0]}`,
      'write an RE2 pattern, text:/MUST|NEVER/',
    );
  }
}
