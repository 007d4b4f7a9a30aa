// Computes the displayed list of chats: filtered, grouped by day or folder, newest first. Pure.
import type { ChatMeta } from 'agent-harness/client';
import { shortPath } from '../../kit/short-texts.ts';

export type Day = 'Today' | 'Yesterday' | 'Earlier';

export type Grouping = 'day' | 'folder';

/** Heading of a group: a day, `Pinned`, or the name of a folder whose path is `folder`. */
export interface Heading {
  readonly kind: 'day';
  readonly day: string;
  readonly folder?: string;
}

export type ChatLine = Heading | { readonly kind: 'chat'; readonly chat: ChatMeta };

/** Returns the day of a time, in the user's time zone. */
export function dayOf(at: string, now: Date): Day {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const midnightBefore = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  const time = new Date(at).getTime();
  if (time >= midnight.getTime()) return /* t */ 'Today';
  return time >= midnightBefore.getTime() ? /* t */ 'Yesterday' : /* t */ 'Earlier';
}

/** Returns the lines of the list, most recently active first: a heading with the pinned chats, then a heading before the first chat of each day or folder. */
export function linesOf(chats: readonly ChatMeta[], now: Date, by: Grouping = 'day'): ChatLine[] {
  const newestFirst = chats.toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || Date.parse(b.updatedAt) - Date.parse(a.updatedAt));
  const groups = new Map<string, { readonly heading: Heading; readonly chats: ChatMeta[] }>();
  const names = by === 'folder' ? folderNames(newestFirst) : undefined;
  for (const chat of newestFirst) {
    const heading = chat.pinned ? pinned : names ? folderOf(chat, names) : ({ kind: 'day', day: dayOf(chat.updatedAt, now) } as const);
    const key = heading.folder ?? heading.day;
    const group = groups.get(key) ?? { heading, chats: [] };
    group.chats.push(chat);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap((group): ChatLine[] => [group.heading, ...group.chats.map((chat) => ({ kind: 'chat', chat }) as const)]);
}

const pinned: Heading = { kind: 'day', day: /* t */ 'Pinned' };

function folderOf({ workspaceMode, workspaceRoot }: ChatMeta, names: ReadonlyMap<string, string>): Heading {
  // Users who may not see folders get one group.
  if (workspaceRoot === undefined) return { kind: 'day', day: /* t */ 'Folders on the computer' };
  if (workspaceMode === 'scratch') return { kind: 'day', day: /* t */ 'Scratch folders' };
  return { kind: 'day', day: names.get(workspaceRoot) ?? workspaceRoot, folder: workspaceRoot };
}

/** Returns the last segment of each path, with more segments where names are equal. */
function folderNames(chats: readonly ChatMeta[]): Map<string, string> {
  const roots = [...new Set(chats.flatMap(({ workspaceRoot = [] }) => workspaceRoot))];
  const last = (root: string): string => root.split(/[/\\]/).findLast((part) => part !== '') ?? root;
  const counts = new Map<string, number>();
  for (const root of roots) counts.set(last(root), (counts.get(last(root)) ?? 0) + 1);
  return new Map(roots.map((root) => [root, counts.get(last(root)) === 1 ? last(root) : shortPath(root, 30)]));
}

/** Returns the chats whose title, folder or tags contain every word of the query, ignoring case and accents. */
export function filterChats(chats: readonly ChatMeta[], query: string): readonly ChatMeta[] {
  const words = plain(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return chats;
  return chats.filter((chat) => {
    const text = plain(`${chat.title} ${chat.workspaceRoot ?? ''} ${chat.tags.map((tag) => `#${tag}`).join(' ')}`);
    return words.every((word) => text.includes(word));
  });
}

/** Of the branches of each chat, keeps only the most recently active one and any that is open, pinned or busy. */
export function withoutLeft(chats: readonly ChatMeta[], shownId: string | undefined): readonly ChatMeta[] {
  if (!chats.some(({ branch }) => branch)) return chats;
  const byId = new Map(chats.map((chat) => [chat.chatId, chat]));
  const rootOf = (chat: ChatMeta): string => {
    const parent = chat.branch && byId.get(chat.branch.chatId);
    return parent ? rootOf(parent) : (chat.branch?.chatId ?? chat.chatId);
  };
  const newest = new Map<string, ChatMeta>();
  for (const chat of chats) {
    const root = rootOf(chat);
    const known = newest.get(root);
    if (!known || (known.chatId !== shownId && (chat.chatId === shownId || Date.parse(chat.updatedAt) > Date.parse(known.updatedAt)))) newest.set(root, chat);
  }
  return chats.filter((chat) => chat.pinned || chat.busy || newest.get(rootOf(chat)) === chat);
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
}
