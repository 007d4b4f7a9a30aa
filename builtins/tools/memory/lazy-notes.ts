// Implements the service `notes` as a lazy proxy, which loads the code at the first call.
import type { Notes } from './contract.ts';

export function lazyNotes(load: () => Promise<Notes>): Notes {
  return {
    remember: async (place, note) => (await load()).remember(place, note),
    find: async (place, key) => (await load()).find(place, key),
    recall: async (place, query, options) => (await load()).recall(place, query, options),
    changes: async (set, since) => (await load()).changes(set, since),
    merge: async (set, notes, since) => (await load()).merge(set, notes, since),
    peek: async (place, id, scope) => (await load()).peek(place, id, scope),
    newest: async (place, scopes, limit) => (await load()).newest(place, scopes, limit),
    content: async (place, id, scope) => (await load()).content(place, id, scope),
    plan: async (place, note, earlier) => (await load()).plan(place, note, earlier),
    edit: async (edits) => (await load()).edit(edits),
    countDerived: async (place, scope) => (await load()).countDerived(place, scope),
    unwantedFor: async (note) => (await load()).unwantedFor(note),
    forgotten: async (place, limit) => (await load()).forgotten(place, limit),
    unwanted: async () => (await load()).unwanted(),
    forgottenUpTo: async (chatId) => (await load()).forgottenUpTo(chatId),
    forget: async (place, key, scope) => (await load()).forget(place, key, scope),
  };
}
