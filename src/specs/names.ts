/** camelCase, snake_case and kebab-case spellings are one name. */
export function plainName(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase();
}
