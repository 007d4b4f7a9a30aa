// Micro-credits for people. Pure.
import { formatCost } from '#page/kit/page/format.ts';

/** A credit is a US dollar. */
export function creditText(micro: number): string {
  return formatCost(micro / 1_000_000);
}
