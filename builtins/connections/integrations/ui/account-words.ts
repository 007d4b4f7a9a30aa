// Formats the name and status of an account. Pure.
import type { Provider } from '#page/points/connections/connections-context.ts';
import type { StatusWords } from '#page/points/connections/connection-words.ts';
import { t } from '#page/kit/t.ts';

export type ProviderAccount = Provider['accounts'][number];

/** An account that needs a sign-in shows that first; if its token could not be refreshed, its status is unknown. */
export function accountWords({ healthy, reachable = true }: Pick<ProviderAccount, 'healthy' | 'reachable'>): StatusWords {
  if (!healthy) return { text: t('Needs a new sign-in'), tone: 'bad' };
  return reachable ? { text: t('Works'), tone: 'good' } : { text: t('Cannot be reached'), tone: 'warn' };
}

/** Returns its owner, as far as the provider says. */
export function accountTitle({ email, name, accountId }: Pick<ProviderAccount, 'email' | 'name' | 'accountId'>): string {
  return email ?? name ?? accountId;
}
