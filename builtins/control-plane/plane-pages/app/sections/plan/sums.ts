// Sums receipts by a key. Pure.

export interface Sum {
  readonly name: string;
  readonly micro: number;
  readonly calls: number;
}

/** Returns the totals, largest first. */
export function sumsBy<K extends string>(receipts: readonly (Readonly<Record<K, string>> & { readonly amountMicro: number })[], by: K): Sum[] {
  const sums = new Map<string, Sum>();
  for (const receipt of receipts) {
    const name = receipt[by];
    const { micro = 0, calls = 0 } = sums.get(name) ?? {};
    sums.set(name, { name, micro: micro + receipt.amountMicro, calls: calls + 1 });
  }
  return [...sums.values()].toSorted((one, other) => other.micro - one.micro);
}
