// Checks whether the plugins that enforce mandatory rules are running.
import type { Emitter, KernelControl } from 'agent-harness/kernel';

/**
 * Returns a function to call for each decision: it returns the name of a plugin that should run but does not, so that its prohibitions are unknown. A
 * locked plugin does not count. A decision only reads states; the report is read again after a plugin has changed.
 */
export function createNotHeld(kernel: Pick<KernelControl, 'report' | 'stateOf'>, emitter: Pick<Emitter, 'on'>): () => string | undefined {
  let fixed: readonly string[] | undefined;
  emitter.on('plugin_changed', () => void (fixed = undefined));
  return () => {
    fixed ??= kernel.report().plugins.flatMap(({ isFixed, origin, name }) => (isFixed && origin !== 'platform' ? [name] : []));
    return fixed.find((name) => ['failed', 'unmet'].includes(kernel.stateOf(name) ?? ''));
  };
}
