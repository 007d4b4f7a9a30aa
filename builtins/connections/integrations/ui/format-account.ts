// Formats the name and status of an account. Pure.
import type { Provider } from '#page/points/connections/connections-context.ts';
import type { StatusWords } from '#page/points/connections/connection-texts.ts';
import { t } from '#page/kit/t.ts';

export type ProviderAccount = Provider['accounts'][number];

/** Describes the status of an account. A required sign-in takes precedence; if the token could not be refreshed, the status is unknown. */
export function accountWords({ healthy, reachable = true }: Pick<ProviderAccount, 'healthy' | 'reachable'>): StatusWords {
  if (!healthy) return { text: t('Needs a new sign-in'), tone: 'bad' };
  return reachable ? { text: t('Works'), tone: 'good' } : { text: t('Cannot be reached'), tone: 'warn' };
}

/** Returns the name of the account's owner, if the provider reports it. */
export function accountTitle({ email, name, accountId }: Pick<ProviderAccount, 'email' | 'name' | 'accountId'>): string {
  return email ?? name ?? accountId;
}
