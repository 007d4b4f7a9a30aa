// What speech costs where the reply does not say: prices that providers publish, by the name of the model without its maker.

/** USD for a million characters. */
const prices: readonly (readonly [name: RegExp, perMillion: number])[] = [
  [/kokoro/, 3.5],
  [/^tts-1-hd/, 30],
  [/^tts-1/, 15],
];

/** USD; `undefined` where nobody knows, which is not the same as nothing. */
export function speechPriceOf(model: string, chars: number): number | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const perMillion = prices.find(([pattern]) => pattern.test(name))?.[1];
  return perMillion === undefined ? undefined : (perMillion * chars) / 1_000_000;
}
