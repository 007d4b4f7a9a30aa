// Declares the hooks of turns with their fault policies: an observer that fails is skipped; a tap that changes the request and fails ends the turn.
import type { Emitter } from 'agent-harness/kernel';

export function declareHooks(emitter: Emitter): void {
  emitter.hook('attachment.read', 'bail', { onError: 'skip' });
  emitter.hook('message.before', 'series', { limitMs: 10_000 });
  emitter.hook('message.guard', 'bail');
  emitter.hook('turn.intercept', 'bail');
  emitter.hook('turn.observe', 'waterfall');
  emitter.hook('turn.before', 'series');
  emitter.hook('turn.after', 'series');
  emitter.hook('round.before', 'series');
  emitter.hook('round.after', 'series');
  emitter.hook('prompt.build', 'waterfall');
  emitter.hook('entry.removed', 'series', { onError: 'skip', limitMs: 60_000 });
  emitter.hook('entry.restored', 'series');
  emitter.hook('model.request', 'waterfall', { onError: 'throw' });
  emitter.hook('context.overflow', 'bail');
  emitter.hook('tool.after', 'waterfall');
  emitter.hook('turn.finalize', 'waterfall');
  emitter.hook('session.reset', 'series');
}
