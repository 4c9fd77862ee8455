import type { Head } from '../format.ts';
import { isObject, type Json, stringAt } from '../value.ts';

type Test = (head: Head) => boolean;

/** A format that ctx recognises by name and does not read. */
export interface KnownFormat {
  readonly name: string;
  readonly title: string;
  /** What to do instead, when there is something. */
  readonly advice?: string;
  /** Names a container that more than one tool uses: whoever knows its content better comes first. */
  readonly general?: true;
  detect(head: Head): boolean;
}

/** Some record of a JSON Lines file passes. */
export function anyRecord(test: (record: Json) => boolean): Test {
  return (head) =>
    head.framing === 'jsonl' && head.records.some((record) => isObject(record) && test(record));
}

/** Some element of a document that is a list passes. */
export function anyElement(test: (element: Json) => boolean): Test {
  return (head) =>
    Array.isArray(head.document) &&
    head.document.some((element) => isObject(element) && test(element));
}

/** The document is an object that passes. */
export function document(test: (root: Json) => boolean): Test {
  return (head) => isObject(head.document) && test(head.document);
}

/** A SQLite database that has tables of these names. */
export function database(...tables: readonly string[]): Test {
  return ({ schema }) =>
    schema !== undefined &&
    tables.every((table) =>
      new RegExp(`CREATE TABLE (?:IF NOT EXISTS )?["\`]?${table}["\`]?\\s*\\(`, 'i').test(schema),
    );
}

/** One of the tests passes. */
export function either(...tests: readonly Test[]): Test {
  return (head) => tests.some((test) => test(head));
}

/** Whether a value's `type` is one of these. */
export function typeIn(value: unknown, types: readonly string[]): boolean {
  return types.includes(stringAt(value, 'type') ?? '');
}
