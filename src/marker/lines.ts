/** Lines of a text as a person counts them: a line end at the very end begins no further line. */
export function contentLines(text: string): number {
  if (text === '') return 0;
  const ends = text.split('\n').length;
  return text.endsWith('\n') ? ends - 1 : ends;
}
