// The chat that a command is about: the one that was named, else the newest that works in this folder, else a new one there.
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { oneLine } from 'agent-harness/lib/text';
import type { ChatMeta } from 'agent-harness/plugins/chats';
import type { CliInput } from './cli-parts.ts';
import type { Client } from './http-client.ts';

export const chatOptions = {
  chat: { type: 'string', description: 'Goes on with this chat, by id.' },
  folder: { type: 'string', short: 'f', description: 'Works in this folder instead of the one you are in; its newest chat goes on.' },
  new: { type: 'boolean', short: 'n', description: 'Begins a new chat.' },
  model: { type: 'string', short: 'm', description: 'The model that the chat uses from now on.' },
} as const;

export type ChosenChat = Pick<ChatMeta, 'chatId' | 'title' | 'workspaceRoot'> & { readonly isNew: boolean };

/** Why the options do not go together, as a sentence. */
export function whyNoChoice({ chat, folder, new: isNew }: CliInput['options']): string | undefined {
  return chat !== undefined && (folder !== undefined || isNew === true) ? '--chat names a chat, so it does not go with --folder or --new.' : undefined;
}

/**
 * Never the chat that a page happens to show: two folders would write into one.
 * @param startFolder where the person is
 */
export async function chooseChat(client: Client, options: CliInput['options'], startFolder: string): Promise<ChosenChat> {
  const chosen = await findOrMake(client, options, startFolder);
  if (typeof options['model'] === 'string') await client.call('PATCH', `/api/chats/${chosen.chatId}`, { model: options['model'] });
  return chosen;
}

async function findOrMake(client: Client, options: CliInput['options'], startFolder: string): Promise<ChosenChat> {
  const { chat, folder } = options;
  if (typeof chat === 'string') return { ...(await client.call<ChatMeta>('GET', `/api/chats/${encodeURIComponent(chat)}`)), isNew: false };
  const root = await realPath(typeof folder === 'string' ? resolve(startFolder, folder) : startFolder);
  const { chats, activeChatId } = await client.call<{ chats: ChatMeta[]; activeChatId: string | null }>('GET', '/api/chats');
  const ofFolder = options['new'] === true ? [] : chats.filter((one) => one.workspaceRoot === root);
  // The list begins with the pinned ones.
  const [newest] = ofFolder.sort((left, right) => right.updatedAt.localeCompare(left.updatedAt));
  if (newest) return { ...newest, isNew: false };
  const body = { workspaceMode: 'folder', workspaceRoot: root, activate: activeChatId === null };
  return { ...(await client.call<ChatMeta>('POST', '/api/chats', body)), isNew: true };
}

/** A folder that is not there is the server's to refuse, in its own words. */
async function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** `New chat in /work`, for the person. */
export function describeChat({ title, workspaceRoot, isNew }: ChosenChat): string {
  return `${isNew || title === '' ? 'New chat' : oneLine(title, 100)} in ${oneLine(workspaceRoot, 300)}`;
}
