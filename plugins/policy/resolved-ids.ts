// Stores the ids of recently settled approvals and questions, to distinguish a late answer from an unknown id.
import { textStart } from '#lib/text';
import type { KernelError, Registry } from 'agent-harness/kernel';
import { BoundedMap } from '#lib/values';
import type { manifest } from './manifest.ts';

export interface ResolvedIds {
  add(id: string, how: 'decided' | 'expired'): void;
  /** Returns the error for an answer to an id that is not pending. */
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
