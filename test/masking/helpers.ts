import type { Compacted, MemoryOptions } from '../../src/memory.ts';
import type { Report } from '../../src/report/report.ts';
import { SECTIONS } from '../../src/summarize/sections.ts';
import type { Summarizer, SummaryRequest } from '../../src/summarize/summarizer.ts';
import { Session, tokensOf } from './build.ts';

export const OPEN = 'preserveRecentTurns=0,preserveRecentMessages=1';

export function session(): Session {
  return new Session()
    .user('Find out why uploads fail.')
    .read('a.ts', tokensOf(3000))
    .says(tokensOf(200, 'narration'))
    .says('Done.');
}

export type Entries = readonly { readonly text: unknown; readonly sourceIds: unknown }[];

export function answer(sections: Readonly<Record<string, Entries>> = {}): string {
  return JSON.stringify({ ...Object.fromEntries(SECTIONS.map((name) => [name, []])), ...sections });
}

export const GOOD: string = answer({
  decisions: [{ text: 'Port 8080 stays.', sourceIds: ['m1'] }],
});

export interface Asked {
  readonly summarizer: Summarizer;
  readonly requests: SummaryRequest[];
}

export function helper(
  answers: (request: SummaryRequest, call: number) => string | Promise<string>,
  automatic = false,
): Asked {
  const requests: SummaryRequest[] = [];
  const summarizer: Summarizer = {
    name: 'test:model',
    external: { destination: 'nowhere', cacheKey: 'test', automatic, size: () => 1000 },
    summarize: (request) => {
      requests.push(request);
      return answers(request, requests.length);
    },
  };
  return { summarizer, requests };
}

export const ALLOWED: MemoryOptions = { summaries: { allowTransfer: true } };

export function step({ strategies }: Report): Report['strategies'][number] {
  return strategies[0] as Report['strategies'][number];
}

export async function run(
  { summarizer }: Asked,
  options = '',
  terms: MemoryOptions = ALLOWED,
): Promise<Compacted> {
  const spec = options === '' ? OPEN : `${OPEN},${options}`;
  return session().compact([['structured-summary', spec]], { summarizer, ...terms });
}
