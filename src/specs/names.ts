/** camelCase, snake_case and kebab-case spellings are one name. */
export function plainName(name: string): string {
  return name.replace(/(?<=[A-Za-z0-9])[-_](?=[A-Za-z0-9])/g, '').toLowerCase();
}
