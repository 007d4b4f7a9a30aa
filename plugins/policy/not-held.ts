// Whether a plugin runs that holds what somebody above the person laid down. Pure.
import type { LoadReport } from 'agent-harness/kernel';

/** The name of one that should run and does not: what it would forbid is not known. */
export function findNotHeld({ plugins }: Pick<LoadReport, 'plugins'>): string | undefined {
  // Without its entitlement it is locked, and nobody is bound by it.
  return plugins.find(({ isFixed, entitlement, state }) => isFixed && entitlement !== undefined && (state === 'failed' || state === 'unmet'))?.name;
}
