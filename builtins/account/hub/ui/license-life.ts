// How a license goes on, in words. Pure.
import { formatDate } from '#page/kit/page/format.ts';
import { t } from '#page/kit/t.ts';

export interface LicenseLife {
  readonly status: string;
  /** ISO 8601, both. */
  readonly issuedAt?: string;
  readonly expiresAt?: string;
}

/** When it is renewed by itself: at the half of its life; `undefined` for one that is not. */
export function renewalOf({ status, issuedAt, expiresAt }: LicenseLife): Date | undefined {
  const [from, to] = [Date.parse(issuedAt ?? ''), Date.parse(expiresAt ?? '')];
  if (status !== 'active' || Number.isNaN(from) || Number.isNaN(to)) return undefined;
  return new Date(from + (to - from) / 2);
}

export function renewalText(life: LicenseLife, now: Date): string | undefined {
  const at = renewalOf(life);
  if (!at) return undefined;
  const day = formatDate(at.toISOString());
  return at > now ? t('renewed by itself from {day} on', { day }) : t('being renewed');
}
