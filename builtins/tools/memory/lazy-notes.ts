// The service `notes` before anybody used it: the code comes with the first call.
import type { Notes } from './contract.ts';

export function lazyNotes(load: () => Promise<Notes>): Notes {
  return {
    remember: async (place, note) => (await load()).remember(place, note),
    find: async (place, key) => (await load()).find(place, key),
    recall: async (place, query, options) => (await load()).recall(place, query, options),
    changes: async (set, since) => (await load()).changes(set, since),
    merge: async (set, notes, since) => (await load()).merge(set, notes, since),
    forget: async (place, key, scope) => (await load()).forget(place, key, scope),
  };
}
