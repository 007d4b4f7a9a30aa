// Measures the cost of one model response from the provider's report or from the delivered output.
import type { IncomingHttpHeaders } from 'node:http';
import { isRecord, jsonOf } from '#lib/values';
import { createEventScanner, deliveredTokens, readUsage, outputLength, type EventScanner } from './event-scanner.ts';
import type { Settlement } from './ledger.ts';
import { costInMicro, tokenCost, type PriceEntry, type ReportedUsage } from './price.ts';

export interface Meter {
  /** Handles the response headers. */
  begin(headers: IncomingHttpHeaders): void;
  /** Returns the bytes to forward to the caller. */
  take(chunk: Buffer): readonly Buffer[];
  /** Handles the end of the response. Returns held-back bytes. */
  end(): readonly Buffer[];
  /** Returns the current cost. */
  estimateMicro(): number;
  settlement(outcome: Settlement['outcome']): Settlement;
  /** Returns whether the provider failed before it delivered anything. */
  isVoid(): boolean;
}

/** Size of the buffer for counting, in bytes. When it is full, its content is counted and dropped. */
const keptBytes = 1024 * 1024;
/** Maximum size of a response whose usage is read from its whole text, in bytes. */
const maxDocumentBytes = 32 * 1024 * 1024;

export interface TokenMeterOptions {
  readonly price: PriceEntry;
  readonly hidesUsage: boolean;
  /** Estimated input tokens, for responses without usage. The estimate tends to be too high, so only part of it is charged. */
  readonly inputTokens: number;
}

/** Creates a meter that counts the tokens of a chat. */
export function createTokenMeter({ price, hidesUsage, inputTokens }: TokenMeterOptions): Meter {
  let scanner: EventScanner | undefined;
  let reported: ReportedUsage | undefined;
  let kept: Buffer[] = [];
  let size = 0;
  let counted = 0;
  const likelyInput = Math.ceil(inputTokens * 0.75);

  const usage = (): ReportedUsage | undefined => scanner?.usage() ?? reported;

  function delivered(): number {
    if (!scanner) return Math.ceil(outputLength(document()) / 4);
    return counted + (kept.length > 0 ? deliveredTokens(kept) : 0);
  }

  function document(): unknown {
    return kept.length > 0 ? jsonOf(Buffer.concat(kept).toString('utf8')) : undefined;
  }

  function keep(chunk: Buffer): void {
    kept.push(chunk);
    size += chunk.length;
    if (scanner && size > keptBytes) {
      counted += deliveredTokens(kept);
      kept = [];
      size = 0;
    } else if (size > maxDocumentBytes) kept = [];
  }

  return {
    begin(headers) {
      if (/^text\/event-stream/i.test(headers['content-type'] ?? '')) scanner = createEventScanner(hidesUsage);
    },
    take(chunk) {
      keep(chunk);
      return scanner ? scanner.take(chunk) : [chunk];
    },
    end() {
      if (scanner) return scanner.end();
      const whole = document();
      reported = isRecord(whole) ? readUsage(whole['usage']) : undefined;
      return [];
    },
    estimateMicro: () => tokenCost(price, usage() ?? { input: likelyInput, cached: 0, output: counted + (scanner?.events() ?? 0) }),
    settlement(outcome) {
      const known = usage();
      if (known) return settlementOf(known, price, outcome);
      const tokens = { input: likelyInput, cached: 0, output: delivered() };
      return { ...tokens, amountMicro: tokenCost(price, tokens), basis: 'estimate', outcome };
    },
    isVoid: () => usage() === undefined && scanner?.hasFault() === true && delivered() === 0,
  };
}

/** Returns the settlement for reported usage. The provider's charge takes precedence over the price table. */
export function settlementOf({ cost, ...tokens }: ReportedUsage, price: PriceEntry, outcome: Settlement['outcome']): Settlement {
  if (cost !== undefined) return { ...tokens, amountMicro: costInMicro(cost), basis: 'cost', outcome };
  return { ...tokens, amountMicro: tokenCost(price, tokens), basis: 'usage', outcome };
}
