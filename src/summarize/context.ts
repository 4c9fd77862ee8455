import type { Row } from './rows.ts';

/** Ends or starts as a line does that only says that something failed: what failed stands below. */
const ANNOUNCES = /:\s*$|^\s*(?:FAIL(?:ED)?\b|--- FAIL|not ok\b|[✗✘×✖❌●])(?!.* [-–—] )/;

/** Labels of what test runners, compilers and databases print below an error. */
const DETAIL =
  /^\W{0,6}(?:expected|received|actual|got|wanted|want|left|right|caused by|cause|reason|details?|hint|help|note|message|stderr|context|where)\b\s{0,12}[:=]/i;

/** How many lines below an error still belong to it when they are labelled. */
const NEAR = 5;

/** What the lines before a line say about it. */
export interface Before {
  /** Inside a Python traceback, or right after it. */
  readonly afterTrace: boolean;
  /** Tells what the error line above it is about. */
  readonly detail: boolean;
  /** Error lines before it. */
  readonly errors: number;
}

/** Reads lines in their order and remembers the last error. */
export class Context {
  #afterTrace = false;
  #errors = 0;
  #since = Number.POSITIVE_INFINITY;
  #last = '';

  of({ head, code }: Row): Before {
    const next =
      this.#since === 1 && (announces(this.#last) || (!code && isBelow(head, this.#last)));
    const detail = next || (this.#since <= NEAR && DETAIL.test(head));
    return { afterTrace: this.#afterTrace, detail, errors: this.#errors };
  }

  add({ head }: Row, error: boolean): void {
    this.#afterTrace = head.startsWith('Traceback (most') || (this.#afterTrace && /^\s/.test(head));
    this.#since += 1;
    if (!error) return;
    this.#errors += 1;
    this.#since = 1;
    this.#last = head;
  }
}

function announces(head: string): boolean {
  return ANNOUNCES.test(head);
}

function isBelow(head: string, above: string): boolean {
  return head.search(/\S/) > above.search(/\S/);
}
