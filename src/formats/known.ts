import { KNOWN_APPS } from './known/apps.ts';
import { KNOWN_DATABASES } from './known/databases.ts';
import { KNOWN_INTERCHANGE } from './known/interchange.ts';
import { KNOWN_SESSIONS } from './known/sessions.ts';
import type { KnownFormat } from './known/tests.ts';

/** Formats of other tools, so that a file of theirs is named and not misread. */
export const KNOWN_FORMATS: readonly KnownFormat[] = [
  ...KNOWN_SESSIONS,
  ...KNOWN_DATABASES,
  ...KNOWN_INTERCHANGE,
  ...KNOWN_APPS,
];
