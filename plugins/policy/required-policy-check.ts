// Checks whether the plugins that enforce mandatory rules are running, and names the first one that is not.
import type { Emitter, KernelControl } from 'agent-harness/kernel';

/**
 * Creates the check to run for each decision. It returns the name of a plugin that should be running but is not, so its prohibitions are unknown; locked
 * plugins are ignored. Each call only reads plugin states; the report is read again only after a plugin has changed.
 */
export function createRequiredPolicyCheck(kernel: Pick<KernelControl, 'report' | 'stateOf'>, emitter: Pick<Emitter, 'on'>): () => string | undefined {
  let fixed: readonly string[] | undefined;
  emitter.on('plugin_changed', () => void (fixed = undefined));
  return () => {
    fixed ??= kernel.report().plugins.flatMap(({ isFixed, origin, name }) => (isFixed && origin !== 'platform' ? [name] : []));
    return fixed.find((name) => ['failed', 'unmet'].includes(kernel.stateOf(name) ?? ''));
  };
}
