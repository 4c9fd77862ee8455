import { basename } from 'node:path';
import { usageError } from '../errors.ts';
import { sha256Hex } from '../hash/hash.ts';
import type { Summarizer, SummaryAnswer, SummaryRequest } from '../summarize/summarizer.ts';
import type { SummarizerOptions } from './options.ts';
import { jsonOf, PROMPT_VERSION, promptOf } from './prompt.ts';
import { readReply } from './reply.ts';
import { cleaner } from './secrets.ts';
import { withStop } from './stop.ts';
import { splitWords } from './words.ts';

/**
 * A summarizer that runs a program once for each summary, without a shell. Throws a usage error for a command line
 * that can't be split or is empty; `summarize` rejects when the program fails, is late or says too much or nothing.
 */
export function commandSummarizer(
  line: string,
  options: SummarizerOptions,
  env: NodeJS.ProcessEnv,
): Summarizer {
  const [file, ...args] = splitWords(line);
  if (file === undefined || file === '')
    throw usageError(
      '--summarizer command: without a program',
      "write the command line after the colon: --summarizer 'command:claude -p'",
    );
  const program = basename(file);
  const inputOf = INPUTS[options.input];
  return {
    name: `command:${program}`,
    external: {
      destination: `program ${program}`,
      // The line may hold a secret; its hash tells lines apart as well.
      cacheKey: JSON.stringify(['command', sha256Hex(line), options.input, PROMPT_VERSION]),
      size: (request) => Buffer.byteLength(inputOf(request)),
    },
    summarize: async (request): Promise<SummaryAnswer> => {
      const { runProgram } = await import('./program.ts');
      const output = await withStop(request.signal, options.timeoutMs, (stop) =>
        runProgram({
          file,
          args,
          input: inputOf(request),
          env,
          maxBytes: options.maxOutputBytes,
          clean: cleaner(env),
          stop,
        }),
      );
      return readReply(output, request);
    },
  };
}

const INPUTS: Readonly<Record<SummarizerOptions['input'], (request: SummaryRequest) => string>> = {
  json: jsonOf,
  text: (request) => {
    const { instructions, data } = promptOf(request);
    return `${instructions}\n\n${data}\n`;
  },
};
