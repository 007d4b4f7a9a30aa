// Calls the `model.before` hook, which decides whether a request may be sent to a model.
import type { Emitter } from 'agent-harness/kernel';
import type { ModelRequest, ModelRoute } from './contract.ts';

/** Returns the route if the request is allowed. Rejects with the error of a tap. Does not check the demo model. */
export async function admit(emitter: Pick<Emitter, 'call'>, target: ModelRoute, { purpose }: Pick<ModelRequest, 'purpose'>): Promise<ModelRoute> {
  if (target.unusable) throw target.unusable;
  const refusal = target.wire === 'demo' ? undefined : await emitter.call('model.before', [target, { purpose }]);
  if (refusal) throw refusal;
  return target;
}
