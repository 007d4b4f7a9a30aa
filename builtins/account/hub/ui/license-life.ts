// Describes the lifetime of a license. Pure.
import { formatDate } from '#page/kit/page/format.ts';
import { t } from '#page/kit/t.ts';

export interface LicenseLife {
  readonly status: string;
  /** Both ISO 8601. */
  readonly issuedAt?: string;
  readonly expiresAt?: string;
}

/** Returns the time of the automatic renewal, half of the lifetime; `undefined` if the license is not renewed. */
export function renewalOf({ status, issuedAt, expiresAt }: LicenseLife): Date | undefined {
  const [from, to] = [Date.parse(issuedAt ?? ''), Date.parse(expiresAt ?? '')];
  if (status !== 'active' || Number.isNaN(from) || Number.isNaN(to)) return undefined;
  return new Date(from + (to - from) / 2);
}

/** Describes the automatic renewal; `undefined` if the license is not renewed. */
export function renewalText(life: LicenseLife, now: Date): string | undefined {
  const at = renewalOf(life);
  if (!at) return undefined;
  const day = formatDate(at.toISOString());
  return at > now ? t('renewed automatically from {day}', { day }) : t('being renewed');
}
