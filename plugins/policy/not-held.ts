// Whether a plugin runs that holds what an authority above the person laid down.
import type { Emitter, KernelControl } from 'agent-harness/kernel';

/**
 * Returns a function for each decision: the name of a plugin that should run and does not, so what it would forbid is not known. A
 * locked one binds no one. A decision asks for states alone; the report is read again only after a plugin has changed.
 */
export function createNotHeld(kernel: Pick<KernelControl, 'report' | 'stateOf'>, emitter: Pick<Emitter, 'on'>): () => string | undefined {
  let fixed: readonly string[] | undefined;
  emitter.on('plugin_changed', () => void (fixed = undefined));
  return () => {
    fixed ??= kernel.report().plugins.flatMap(({ isFixed, origin, name }) => (isFixed && origin !== 'platform' ? [name] : []));
    return fixed.find((name) => ['failed', 'unmet'].includes(kernel.stateOf(name) ?? ''));
  };
}
