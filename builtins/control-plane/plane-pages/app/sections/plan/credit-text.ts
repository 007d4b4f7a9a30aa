// Formats micro-credits for display. Pure.
import { formatCost } from '#page/kit/page/format.ts';

export const microPerCredit = 1_000_000;

/** A credit is a US dollar. */
export function creditText(micro: number): string {
  return formatCost(micro / microPerCredit);
}

const exact = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', minimumFractionDigits: 4, maximumFractionDigits: 4 });

/** For columns, where all have the same number of digits. */
export function exactCreditText(micro: number): string {
  return exact.format(micro / microPerCredit);
}

/** For a field, as a number of credits. */
export function creditField(micro: number): string {
  return String(micro / microPerCredit);
}
