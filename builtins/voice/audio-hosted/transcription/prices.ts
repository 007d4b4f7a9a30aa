// Lists providers' published prices for transcription by model name, for replies that state no cost.

interface Price {
  /** USD per minute. */
  readonly perMinute?: number;
  /** USD per million tokens. */
  readonly perMillion?: { readonly input: number; readonly output: number };
}

const prices: readonly (readonly [name: RegExp, price: Price])[] = [
  [/^parakeet/, { perMinute: 0.0015 }],
  [/^gpt-transcribe$/, { perMinute: 0.0045 }],
  [/^whisper-1$/, { perMinute: 0.006 }],
  [/^gpt-4o-transcribe/, { perMinute: 0.006, perMillion: { input: 2.5, output: 10 } }],
  [/^gpt-4o-mini-transcribe/, { perMinute: 0.003, perMillion: { input: 1.25, output: 5 } }],
];

export interface Used {
  readonly seconds: number | undefined;
  readonly input?: number | undefined;
  readonly output?: number | undefined;
}

/** Returns the price in USD; `undefined` if unknown, which is different from zero. */
export function priceOf(model: string, { seconds, input, output }: Used): number | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const price = prices.find(([pattern]) => pattern.test(name))?.[1];
  if (price?.perMillion && (input !== undefined || output !== undefined))
    return ((input ?? 0) * price.perMillion.input + (output ?? 0) * price.perMillion.output) / 1_000_000;
  return price?.perMinute === undefined || seconds === undefined ? undefined : (price.perMinute * seconds) / 60;
}
