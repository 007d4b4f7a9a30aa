// Which other ways a conversation took at a message, by the chats that say so. Pure.
import type { ChatMeta, Entry } from 'agent-harness/client';

export interface Ways {
  /** Of the chats that each go on in their own way, oldest first. */
  readonly chatIds: readonly string[];
  /** Which of them is looked at. */
  readonly at: number;
}

/** `undefined` where there is one way only. @param before the turn before that message, where there is one */
export function waysAt(chats: readonly ChatMeta[], chatId: string, turnId: string, before: string | undefined): Ways | undefined {
  const own = chats.find((chat) => chat.chatId === chatId)?.branch;
  const isOwn = own !== undefined && own.after === before;
  const left = isOwn ? own.turnId : turnId;
  const branches = chats.filter(({ branch }) => branch?.turnId === left).toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  const base = branches[0]?.branch?.chatId;
  if (base === undefined) return undefined;
  // A copy of what was left stands for it.
  const first = isOwn ? base : chatId;
  const chatIds = [...(chats.some((chat) => chat.chatId === first) ? [first] : []), ...branches.map((chat) => chat.chatId)];
  return chatIds.length < 2 ? undefined : { chatIds, at: Math.max(0, chatIds.indexOf(chatId)) };
}

/** The turn before the one of that entry; `undefined` where there is none. */
export function turnBefore(entries: readonly Entry[], id: string): string | undefined {
  const at = entries.findIndex((entry) => entry.id === id);
  const turnId = entries[at]?.turnId;
  return entries.slice(0, Math.max(0, at)).findLast((entry) => entry.turnId !== undefined && entry.turnId !== turnId)?.turnId;
}
