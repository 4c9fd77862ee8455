import { usageError } from '../errors.ts';
import { cleaner } from './secrets.ts';

/** Where a service is and which variables say so. */
export interface Service {
  readonly url: string;
  readonly urlVariable: string;
  /** Variables that hold a key, the first one set wins. */
  readonly keyVariables: readonly string[];
}

export interface Endpoint {
  readonly url: string;
  /** Host and path, as a person would say it. */
  readonly destination: string;
  /** Whether the environment names it. */
  readonly own: boolean;
}

export interface Key {
  readonly variable: string;
  readonly value: string;
}

/** Where to ask. Throws a usage error for an address that is none or holds a password. */
export function endpointOf(service: Service, env: NodeJS.ProcessEnv): Endpoint {
  const set = env[service.urlVariable]?.trim() ?? '';
  const text = set === '' ? service.url : set;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw usageError(`${service.urlVariable} is not an address`, `write it like ${service.url}`);
  if (url.username !== '' || url.password !== '' || url.search !== '')
    throw usageError(
      `${service.urlVariable} must not hold a password or a query`,
      `set ${service.keyVariables.join(' or ')} for the key`,
    );
  const path = url.pathname.replace(/\/+$/, '');
  return { url: text, destination: cleaner(env)(url.host + path), own: set !== '' };
}

/** The key to ask with. A service of one's own may need none; else throws an Error that says what to set. */
export function keyOf(service: Service, endpoint: Endpoint, env: NodeJS.ProcessEnv): Key {
  for (const variable of service.keyVariables) {
    const value = env[variable]?.trim() ?? '';
    if (value !== '') return { variable, value };
  }
  const [first = ''] = service.keyVariables;
  // The SDKs don't start without one.
  if (endpoint.own) return { variable: first, value: 'none' };
  throw new Error(
    `no key: set ${service.keyVariables.join(' or ')} (or ${service.urlVariable} for a service of your own)`,
  );
}
