// Extracts the searchable text of a chat: the joined messages of users and the model. Pure.
import type { EventKind } from './events.ts';
import { joinText } from './join-text.ts';
import { handle, type Handlers } from './handlers.ts';
import type { ChatEvent } from './reduce.ts';

/** A complete message of a user or the model. */
export interface SearchedMessage {
  readonly entryId: string;
  /** Start of the message (ISO 8601). */
  readonly at: string;
  readonly text: string;
}

export interface SearchText {
  /** Applies an event; returns the messages that it completes. */
  take(event: ChatEvent): readonly SearchedMessage[];
  /** Returns the remaining messages at the end. */
  rest(): readonly SearchedMessage[];
}

const seen: ReadonlySet<string> = new Set<EventKind>(['message_accepted', 'announcement', 'text', 'turn_end']);

/** Returns whether events of a kind contain searchable text. */
export function isSearched(kind: string): boolean {
  return seen.has(kind);
}

/** Returns the terms of a query in lower case; a message matches if it contains all terms. Text in double quotes is one term. */
export function searchTerms(query: string): string[] {
  return [...query.toLowerCase().matchAll(/"([^"]+)"|\S+/g)].map(([all, quoted]) => (quoted ?? all).trim()).filter((term) => term !== '');
}

export function createSearchText(): SearchText {
  const replies = new Map<string, { readonly entryId: string; readonly at: string; text: string }>();
  function rest(): readonly SearchedMessage[] {
    const said = [...replies.values()];
    replies.clear();
    return said;
  }
  const readers: Handlers<readonly SearchedMessage[]> = {
    turn_end: rest,
    message_accepted: ({ messageId, at, text }) => [{ entryId: messageId, at, text }],
    announcement: ({ messageId, at, text }) => [{ entryId: messageId, at, text }],
    text({ messageId, at, channel, offset, delta }) {
      // Reasoning also starts the entry, but is not searched.
      const reply = replies.get(messageId) ?? { entryId: messageId, at, text: '' };
      if (channel === 'user') reply.text = joinText(reply.text, offset, delta);
      replies.set(messageId, reply);
      return [];
    },
  };
  return {
    take: (event) => handle(event, readers) ?? [],
    rest,
  };
}
