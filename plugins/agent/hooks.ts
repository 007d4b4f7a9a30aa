// The turn's hooks with their fault policies: a guard that breaks denies, an observer that breaks is skipped.
import type { Emitter } from 'agent-harness/kernel';

export function declareHooks(emitter: Emitter): void {
  emitter.hook('attachment.read', 'bail', { onError: 'skip' });
  emitter.hook('turn.intercept', 'bail');
  emitter.hook('turn.before', 'series');
  emitter.hook('turn.after', 'series');
  emitter.hook('round.before', 'series');
  emitter.hook('round.after', 'series');
  emitter.hook('prompt.build', 'waterfall');
  emitter.hook('model.request', 'waterfall', { onError: 'throw' });
  emitter.hook('context.overflow', 'bail');
  emitter.hook('tool.prepare', 'waterfall', { onError: 'throw' });
  emitter.hook('tool.before', 'bail', {
    onError: ({ plugin }) => ({ deny: `The guard of plugin '${plugin}' broke, so the call was refused.`, hint: 'Nothing was run. Tell the user.' }),
  });
  emitter.hook('tool.gate', 'bail', {
    onError: ({ plugin }) => ({ deny: `The gate of plugin '${plugin}' broke, so the call was refused.`, hint: 'Nothing was run. Tell the user.' }),
  });
  emitter.hook('tool.after', 'waterfall');
  emitter.hook('turn.finalize', 'waterfall');
  emitter.hook('status.build', 'waterfall');
  emitter.hook('session.reset', 'series');
}
