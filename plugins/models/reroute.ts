// Sends a model request again on another route if an attempt failed before any visible output, for example because of an expired token.
import type { Emitter } from 'agent-harness/kernel';
import type { ModelFault, ModelRoute } from './contract.ts';

export interface Rerouting {
  /** Returns whether the route should be resolved again immediately. */
  again(fault: ModelFault, target: ModelRoute): Promise<boolean>;
}

/** Maximum number of reroutes per request. */
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
