// What of a chat a search looks at: what people and the model said, put together. Pure.
import type { EventKind } from './events.ts';
import { joinText } from './join-text.ts';
import { handle, type Handlers } from './handlers.ts';
import type { ChatEvent } from './reduce.ts';

/** Something that was said, whole. */
export interface Said {
  readonly entryId: string;
  /** ISO 8601: when it began. */
  readonly at: string;
  readonly text: string;
}

export interface SearchText {
  /** Answers what is whole by now. */
  take(event: ChatEvent): readonly Said[];
  /** What is left at the end. */
  rest(): readonly Said[];
}

const seen: ReadonlySet<string> = new Set<EventKind>(['message_accepted', 'announcement', 'text', 'turn_end']);

/** Whether the event has to be read for a search; all others say nothing. */
export function isSearched(kind: string): boolean {
  return seen.has(kind);
}

export function createSearchText(): SearchText {
  const replies = new Map<string, { readonly entryId: string; readonly at: string; text: string }>();
  function rest(): readonly Said[] {
    const said = [...replies.values()];
    replies.clear();
    return said;
  }
  const readers: Handlers<readonly Said[]> = {
    turn_end: rest,
    message_accepted: ({ messageId, at, text }) => [{ entryId: messageId, at, text }],
    announcement: ({ messageId, at, text }) => [{ entryId: messageId, at, text }],
    text({ messageId, at, channel, offset, delta }) {
      // What it thought begins the entry, too, but is not searched.
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
