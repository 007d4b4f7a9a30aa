// What failed before anybody saw anything of it may go another way: a token that ran out, an endpoint that is gone.
import type { Emitter } from 'agent-harness/kernel';
import type { ModelFault, ModelRoute } from './contract.ts';

export interface Rerouting {
  /** Whether to ask for the route again at once. */
  again(fault: ModelFault, target: ModelRoute): Promise<boolean>;
}

/** Of one request. */
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
