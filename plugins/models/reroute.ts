// Retries on another route when an attempt failed before any visible output: an expired token, a missing endpoint.
import type { Emitter } from 'agent-harness/kernel';
import type { ModelFault, ModelRoute } from './contract.ts';

export interface Rerouting {
  /** Whether to resolve the route again immediately. */
  again(fault: ModelFault, target: ModelRoute): Promise<boolean>;
}

/** Maximum per request. */
const most = 2;

export function createRerouting(emitter: Pick<Emitter, 'call'>): Rerouting {
  let left = most;
  return {
    async again(fault, target) {
      if (left === 0 || !(await emitter.call('model.fault', [false, fault, target]))) return false;
      left--;
      return true;
    },
  };
}
