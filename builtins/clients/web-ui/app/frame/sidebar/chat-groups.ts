// The list of chats as it is shown: which fit the filter, by day, newest first.
import type { ChatMeta } from 'agent-harness/client';

export type Day = 'Today' | 'Yesterday' | 'Earlier';

/** What stands above some chats of the list. */
export type Heading = 'Pinned' | Day;

export type ChatLine = { readonly kind: 'day'; readonly day: Heading } | { readonly kind: 'chat'; readonly chat: ChatMeta };

/** Days are those of the person's own clock. */
export function dayOf(at: string, now: Date): Day {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const midnightBefore = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  const time = new Date(at).getTime();
  if (time >= midnight.getTime()) return 'Today';
  return time >= midnightBefore.getTime() ? 'Yesterday' : 'Earlier';
}

/** Pinned chats under a heading of their own, then a heading before the first chat of each day. */
export function linesOf(chats: readonly ChatMeta[], now: Date): ChatLine[] {
  const newestFirst = chats.toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || Date.parse(b.updatedAt) - Date.parse(a.updatedAt));
  const headingOf = (chat: ChatMeta): Heading => (chat.pinned ? 'Pinned' : dayOf(chat.updatedAt, now));
  return newestFirst.flatMap((chat, index): ChatLine[] => {
    const day = headingOf(chat);
    const before = newestFirst[index - 1];
    const line: ChatLine = { kind: 'chat', chat };
    return before && headingOf(before) === day ? [line] : [{ kind: 'day', day }, line];
  });
}

/** Every word of the query is somewhere in the title, the folder or the tags; case and accents do not matter. */
export function filterChats(chats: readonly ChatMeta[], query: string): readonly ChatMeta[] {
  const words = plain(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return chats;
  return chats.filter((chat) => {
    const text = plain(`${chat.title} ${chat.workspaceRoot} ${chat.tags.map((tag) => `#${tag}`).join(' ')}`);
    return words.every((word) => text.includes(word));
  });
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
}
