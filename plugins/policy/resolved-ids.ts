// Remembers the last ids that were settled, so that a late answer is told apart from a made-up one.
import { textStart } from 'agent-harness/lib/text';
import type { KernelError, Registry } from 'agent-harness/kernel';
import { BoundedMap } from 'agent-harness/lib/values';
import type { manifest } from './manifest.ts';

export interface ResolvedIds {
  add(id: string, how: 'decided' | 'expired'): void;
  /** The error for an answer to an id that does not wait (any more). */
  whyGone(registry: Registry<typeof manifest>, id: string): KernelError;
}

export function createResolvedIds(limit = 1_000): ResolvedIds {
  const ids = new BoundedMap<string, 'decided' | 'expired'>(limit);
  return {
    add: (id, how) => void ids.set(id, how),
    whyGone(registry, id) {
      const how = ids.get(id);
      if (how === 'expired') return registry.error('EXPIRED', { id });
      if (how === 'decided') return registry.error('ALREADY_RESOLVED', { id });
      return registry.error('NOT_FOUND', { id: textStart(id, 64) });
    },
  };
}
