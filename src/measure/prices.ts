import { modelNames } from './window.ts';

/** What one request costs, in US dollars; the split says what comes from a cache. */
interface Request {
  /** Tokens read from a prompt cache. */
  readonly cached?: number;
  /** Tokens written to one. */
  readonly written?: number;
  /** Tokens sent without one. */
  readonly plain?: number;
}

/** Prices a request by the model's list price; undefined when the list does not know the model. */
export type Price = (request: Request) => number;

/** The price list comes with its package: nothing is fetched. */
export async function pricesOf(model: string): Promise<Price | undefined> {
  const { calcPrice } = await import('@pydantic/genai-prices');
  for (const name of modelNames(model)) {
    const price: Price = ({ cached = 0, written = 0, plain = 0 }) => {
      const usage = { cache_read_tokens: cached, cache_write_tokens: written };
      const found = calcPrice({ input_tokens: cached + written + plain, ...usage }, name);
      if (found === null || found === undefined) throw new Error(`no price for ${name}`);
      return found.total_price;
    };
    try {
      price({ cached: 1000, written: 1000 });
      return price;
    } catch {
      // It throws when it can't make a price; another name of the model may do.
    }
  }
  return undefined;
}
