// Whether a plugin runs that holds what somebody above the person laid down. Pure.
import type { LoadReport } from 'agent-harness/kernel';

/** The name of one that should run and does not: what it would forbid is not known. One that is locked binds nobody. */
export function findNotHeld({ plugins }: Pick<LoadReport, 'plugins'>): string | undefined {
  return plugins.find(({ isFixed, origin, state }) => isFixed && origin !== 'platform' && (state === 'failed' || state === 'unmet'))?.name;
}
