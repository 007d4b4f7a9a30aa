// Finds the branches of a conversation at a message, using the metadata of the chats. Pure.
import type { ChatMeta, Entry } from 'agent-harness/client';

export interface Ways {
  /** The chats of the branches, oldest first. */
  readonly chatIds: readonly string[];
  /** Index of the current branch. */
  readonly at: number;
}

/** Returns the branches at a message; `undefined` if there is only one. @param before the turn before that message, if any */
export function branchesAt(chats: readonly ChatMeta[], chatId: string, turnId: string, before: string | undefined): Ways | undefined {
  const own = chats.find((chat) => chat.chatId === chatId)?.branch;
  const isOwn = own !== undefined && own.after === before;
  const left = isOwn ? own.turnId : turnId;
  const branches = chats.filter(({ branch }) => branch?.turnId === left).toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  const base = branches[0]?.branch?.chatId;
  if (base === undefined) return undefined;
  // In a fork of the original chat, the fork takes the place of the original.
  const first = isOwn ? base : chatId;
  const chatIds = [...(chats.some((chat) => chat.chatId === first) ? [first] : []), ...branches.map((chat) => chat.chatId)];
  return chatIds.length < 2 ? undefined : { chatIds, at: Math.max(0, chatIds.indexOf(chatId)) };
}

/** Returns the turn before that of the entry; `undefined` if there is none. */
export function turnBefore(entries: readonly Entry[], id: string): string | undefined {
  const at = entries.findIndex((entry) => entry.id === id);
  const turnId = entries[at]?.turnId;
  return entries.slice(0, Math.max(0, at)).findLast((entry) => entry.turnId !== undefined && entry.turnId !== turnId)?.turnId;
}
