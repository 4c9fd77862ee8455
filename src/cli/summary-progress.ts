import { commas, plural } from '../marker/marker.ts';
import { safe } from '../report/safe.ts';
import type { HelperEvent } from '../summarize/helper.ts';
import type { Summarizer } from '../summarize/summarizer.ts';
import type { Io } from './io.ts';

export interface SummaryProgress {
  add(event: HelperEvent): void;
  end(): void;
}

/**
 * Says on standard error where texts go before the first one leaves and how many bytes went in the end; on a terminal
 * also how far it is while it waits.
 */
export function summaryProgress(
  io: Io,
  summarizer: Summarizer | undefined,
  quiet: boolean,
): SummaryProgress {
  const seen = { queued: 0, asked: 0, answered: 0, failed: 0, bytes: 0, tokens: 0 };
  const { external, name = '' } = summarizer ?? {};
  const started = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const draw = () => {
    const elapsed = Math.round((performance.now() - started) / 1000);
    const ended = seen.answered + seen.failed;
    io.stderr.write(
      `\r\u001b[Ksummarizing: ${ended} of ${seen.queued}, ${elapsed} s, ${plural(seen.tokens, 'token')} so far`,
    );
  };
  return {
    add({ type, bytes, tokens }) {
      seen[type] += 1;
      seen.bytes += bytes;
      seen.tokens += tokens;
      if (quiet || external === undefined) return;
      if (type === 'asked' && seen.asked === 1)
        io.stderr.write(`ctx: texts go to ${safe(external.destination)} (${safe(name)})\n`);
      if (!io.stderr.isTTY) return;
      draw();
      timer ??= setInterval(draw, 1000).unref();
    },
    end() {
      if (timer !== undefined) io.stderr.write('\r\u001b[K');
      clearInterval(timer);
      if (quiet || external === undefined || seen.asked === 0) return;
      io.stderr.write(
        `ctx: ${commas(seen.bytes)} bytes went to ${safe(external.destination)} in ${plural(seen.asked, 'request')}\n`,
      );
    },
  };
}
