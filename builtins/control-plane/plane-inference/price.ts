// Calculates the cost of a call in micro-credits. Pure.
import { isRecord } from '#lib/values';

/** Price of a model in credits. One credit is one US dollar, or a million micro-credits. */
export interface PriceEntry {
  readonly inputPerMillion?: number;
  readonly outputPerMillion?: number;
  /** Price of cached input tokens; default: that of other input tokens. */
  readonly cachedPerMillion?: number;
  readonly audioPerMinute?: number;
  /** Price of text that is converted to speech. */
  readonly charactersPerMillion?: number;
}

export interface Tokens {
  /** Includes cached tokens. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export interface ReportedUsage extends Tokens {
  /** USD; an explicit zero counts as a price. */
  readonly cost?: number;
}

const million = 1_000_000;
/** Maximum cost of a call in micro-credits: more than any wallet contains, and still exact in the ledger. */
const maxMicro = Number.MAX_SAFE_INTEGER;
/** Number of decimal digits of a price; further digits are artefacts of the number format. */
const priceDigits = 9;

/** Returns the cost of a call in micro-credits, rounded up once for the whole call. */
export function tokenCost(price: PriceEntry, { input, cached, output }: Tokens): number {
  const { inputPerMillion = 0, outputPerMillion = 0, cachedPerMillion = inputPerMillion } = price;
  const known = Math.min(cached, input);
  return roundUp([
    [input - known, inputPerMillion],
    [known, cachedPerMillion],
    [output, outputPerMillion],
  ]);
}

/** Returns the cost of transcribed audio in micro-credits. */
export function audioCost({ audioPerMinute = 0 }: PriceEntry, seconds: number): number {
  return roundUp([[Math.ceil(seconds * 1_000), (audioPerMinute * million) / 60_000]]);
}

/** Returns the cost of spoken text in micro-credits. */
export function speechCost({ charactersPerMillion = 0 }: PriceEntry, characters: number): number {
  return roundUp([[characters, charactersPerMillion]]);
}

/** Converts a provider's cost in USD without binary rounding artefacts. */
export function costInMicro(usd: number): number {
  return Math.min(maxMicro, Math.ceil(Number((usd * million).toFixed(6))));
}

/** Returns the maximum output tokens that `micro` pays for in addition to the input. */
export function affordableOutput({ outputPerMillion = 0 }: PriceEntry, inputMicro: number, micro: number): number {
  if (outputPerMillion === 0) return Number.MAX_SAFE_INTEGER;
  return Math.max(0, Number((BigInt(micro - inputMicro) * scale) / scaled(outputPerMillion)));
}

const scale = BigInt(10 ** priceDigits);
const scaled = (price: number): bigint => BigInt(Math.round(price * 10 ** priceDigits));

/** Sums parts of a cost and rounds up. Credits per million are micro-credits per unit. */
function roundUp(parts: readonly (readonly [count: number, microEach: number])[]): number {
  const total = parts.reduce((sum, [count, each]) => sum + BigInt(count) * scaled(each), 0n);
  return Math.min(maxMicro, Number((total + scale - 1n) / scale));
}

const fields = ['inputPerMillion', 'outputPerMillion', 'cachedPerMillion', 'audioPerMinute', 'charactersPerMillion'] as const;
/** Maximum price in credits; a higher price was probably entered in micro-credits. */
const maxPrice = 100_000;

/** Reads a price file; returns the reason if it is invalid. `null` withdraws a model from sale. */
export function readPrices(document: unknown): Map<string, PriceEntry | null> | string {
  if (!isRecord(document)) return 'the file must contain an object with model names as keys.';
  const prices = new Map<string, PriceEntry | null>();
  for (const [model, entry] of Object.entries(document)) {
    if (model === '' || model.length > 300) return `'${model}' is not a model name.`;
    if (entry === null) {
      prices.set(model, null);
      continue;
    }
    if (!isRecord(entry)) return `the price of '${model}' must be an object or null.`;
    for (const [name, value] of Object.entries(entry)) {
      if (!fields.includes(name as never)) return `'${model}' has the unknown field '${name}'; known are ${fields.join(', ')}.`;
      if (typeof value !== 'number' || !(value >= 0 && value <= maxPrice)) return `'${name}' of '${model}' must be a number of credits from 0 to ${maxPrice}.`;
    }
    const price: PriceEntry = entry;
    const isOfTokens = price.inputPerMillion !== undefined && price.outputPerMillion !== undefined;
    if (!isOfTokens && price.audioPerMinute === undefined && price.charactersPerMillion === undefined)
      return `'${model}' needs inputPerMillion and outputPerMillion, audioPerMinute or charactersPerMillion.`;
    prices.set(model, price);
  }
  return prices;
}
