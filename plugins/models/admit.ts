// Whether a request may go to exactly this model.
import type { Emitter } from 'agent-harness/kernel';
import type { ModelRequest, ModelRoute } from './contract.ts';

/** Answers the route. Rejects with what somebody has against it; the demo is nobody's model. */
export async function admit(emitter: Pick<Emitter, 'call'>, target: ModelRoute, { purpose }: Pick<ModelRequest, 'purpose'>): Promise<ModelRoute> {
  if (target.unusable) throw target.unusable;
  const refusal = target.wire === 'demo' ? undefined : await emitter.call('model.before', [target, { purpose }]);
  if (refusal) throw refusal;
  return target;
}
