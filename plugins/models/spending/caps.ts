// Manages the spending caps of model calls, and selects the caps that apply to a request.
import type { PointHandler } from 'agent-harness/kernel';
import type { SpendingCap } from '../contract.ts';

export interface Caps {
  readonly point: PointHandler<SpendingCap>;
  /** Returns the caps with a limit that apply to requests of a purpose; without a purpose, all caps with a limit. */
  inForce(purpose?: string, chatId?: string): SpendingCap[];
  all(): readonly SpendingCap[];
  counts(cap: SpendingCap, purpose: string): boolean;
}

/** Creates the list of caps. @param settings live values of the settings */
export function createCaps(settings: { readonly budgetPerDay: number; readonly budgetPerChat: number }): Caps {
  const own: readonly SpendingCap[] = [
    { name: 'day', per: 'day', purposes: 'all', source: 'AGENT_BUDGET_USD_PER_DAY', limit: () => settings.budgetPerDay },
    { name: 'each chat', per: 'chat', purposes: 'all', source: 'AGENT_BUDGET_USD_PER_CHAT', limit: () => settings.budgetPerChat },
  ];
  const added: SpendingCap[] = [];
  const all = (): readonly SpendingCap[] => [...own, ...added];
  const counts = ({ purposes }: SpendingCap, purpose: string): boolean => {
    if (purposes === 'all') return true;
    return purposes === 'others' ? !added.some((one) => Array.isArray(one.purposes) && one.purposes.includes(purpose)) : purposes.includes(purpose);
  };

  return {
    all,
    counts,
    inForce: (purpose, chatId) =>
      all().filter((cap) => cap.limit() > 0 && (purpose === undefined || counts(cap, purpose)) && (cap.per === 'day' || chatId !== undefined)),
    point: {
      validate(cap, owner) {
        return all().some(({ name }) => name === cap.name) ? `there is a cap '${cap.name}' already, so '${owner}' must name its own otherwise.` : undefined;
      },
      added: (cap) => void added.push(cap),
      removed: (cap) => void added.splice(added.indexOf(cap), 1),
    },
  };
}
