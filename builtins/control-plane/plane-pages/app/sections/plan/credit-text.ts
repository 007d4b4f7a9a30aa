// Formats micro-credits for display. Pure.
import { formatCost } from '#page/kit/page/format.ts';

export const microPerCredit = 1_000_000;

/** Formats credits; one credit is one US dollar. */
export function creditText(micro: number): string {
  return formatCost(micro / microPerCredit);
}

const exact = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', minimumFractionDigits: 4, maximumFractionDigits: 4 });

/** Formats credits for table columns, with a fixed number of digits. */
export function exactCreditText(micro: number): string {
  return exact.format(micro / microPerCredit);
}

/** Formats credits for an input field. */
export function creditField(micro: number): string {
  return String(micro / microPerCredit);
}
