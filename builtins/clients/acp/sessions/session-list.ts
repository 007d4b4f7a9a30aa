// Lists the chats on the server as sessions, page by page.
import { Buffer } from 'node:buffer';
import type { ListSessionsResponse } from '@agentclientprotocol/sdk';
import type { ChatMeta } from 'agent-harness/client';
import { WireError, wireCodes } from '../wire/wire-error.ts';

const pageSize = 100;

/** Returns a page of chats, newest first. @param folder returns only chats that work in this folder */
export function pageOf(chats: readonly ChatMeta[], folder: string | undefined, cursor: string | undefined): ListSessionsResponse {
  const found = chats
    .filter(({ workspaceRoot }) => folder === undefined || workspaceRoot === folder)
    .sort((left, right) => (keyOf(left) < keyOf(right) ? 1 : -1));
  // Chats that were added or changed since the last page do not shift the others.
  const after = cursor === undefined ? undefined : decode(cursor);
  const rest = after === undefined ? found : found.filter((chat) => keyOf(chat) < after);
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  return {
    sessions: page.map(({ chatId, workspaceRoot, title, updatedAt }) => ({ sessionId: chatId, cwd: workspaceRoot ?? '', title, updatedAt })),
    ...(last && rest.length > page.length ? { nextCursor: Buffer.from(keyOf(last)).toString('base64url') } : {}),
  };
}

const keyOf = ({ updatedAt, chatId }: ChatMeta): string => `${updatedAt} ${chatId}`;

function decode(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString();
  if (!/^\d{4}-\S+ \S+$/.test(key)) throw new WireError(wireCodes.invalidParams, 'The cursor is invalid: it belongs to no page of this list.');
  return key;
}
