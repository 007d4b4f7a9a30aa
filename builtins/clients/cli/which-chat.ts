// Selects the chat for a command: the given chat, the newest chat of this folder to continue, or a new chat in this folder.
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { oneLine } from '#lib/text';
import type { ChatMeta, ChatMode } from 'agent-harness/plugins/chats';
import { isUnlisted } from 'agent-harness/transcript';
import type { CliInput } from './cli-parts.ts';
import { chatIds, modelNames } from './listings.ts';
import type { Client } from './http-client.ts';

const modes: readonly ChatMode[] = ['ask', 'careful', 'plan', 'auto'];
/** Reasoning efforts of a chat; `default` restores the setting. */
const efforts = ['off', 'low', 'medium', 'high', 'max', 'default'] satisfies (NonNullable<ChatMeta['effort']> | 'default')[];

export const chatOptions = {
  chat: { type: 'string', values: chatIds, description: 'Continues this chat, by id.' },
  continue: { type: 'boolean', short: 'c', description: 'Continues the most recent chat in this folder, if there is one.' },
  folder: { type: 'string', short: 'f', values: 'folder', description: 'Works in this folder instead of the current directory.' },
  new: { type: 'boolean', short: 'n', description: 'Starts a new chat (default).' },
  model: { type: 'string', short: 'm', values: modelNames, description: 'Sets the model of the chat.' },
  effort: { type: 'string', values: efforts, description: 'Sets the reasoning effort of the chat: off, low, medium, high, max or default.' },
  mode: { type: 'string', values: [...modes], description: 'Sets the approval mode of the chat: ask, careful, plan or auto.' },
} as const;

export type ChosenChat = Pick<ChatMeta, 'chatId' | 'title' | 'workspaceRoot'> & { readonly isNew: boolean; readonly model?: string };

/** Returns why the options conflict, as a sentence; `undefined` if they do not. */
export function whyNoChoice({ chat, folder, new: isNew, continue: goesOn, resume, mode, effort }: CliInput['options']): string | undefined {
  if (mode !== undefined && !modes.some((one) => one === mode)) return `There is no mode '${String(mode)}'; the modes are ${modes.join(', ')}.`;
  if (effort !== undefined && !efforts.some((one) => one === effort)) return `Unknown reasoning effort '${String(effort)}'; use one of ${efforts.join(', ')}.`;
  if (chat !== undefined && (folder !== undefined || isNew === true)) return '--chat cannot be combined with --folder or --new.';
  if (isNew === true && goesOn === true) return '--continue cannot be combined with --new.';
  return isNew === true && resume === true ? '--resume cannot be combined with --new.' : undefined;
}

/**
 * Chooses the chat for a command. Never uses the chat that a page shows, because then two folders would write to one chat.
 * @param startFolder current working directory
 */
export async function chooseChat(client: Client, options: CliInput['options'], startFolder: string): Promise<ChosenChat> {
  const chosen = await findOrMake(client, options, startFolder);
  const { model, mode, effort } = options;
  const change = {
    ...(typeof model === 'string' ? { model } : {}),
    ...(typeof effort === 'string' ? { effort: effort === 'default' ? null : effort } : {}),
    ...(typeof mode === 'string' ? { mode } : {}),
  };
  if (Object.keys(change).length === 0) return chosen;
  await client.call('PATCH', `/api/chats/${chosen.chatId}`, change);
  return { ...chosen, ...(typeof model === 'string' ? { model } : {}) };
}

async function findOrMake(client: Client, options: CliInput['options'], startFolder: string): Promise<ChosenChat> {
  const { chat, folder } = options;
  if (typeof chat === 'string') return { ...(await client.call<ChatMeta>('GET', `/api/chats/${encodeURIComponent(chat)}`)), isNew: false };
  const root = await realPath(typeof folder === 'string' ? resolve(startFolder, folder) : startFolder);
  const { chats, activeChatId } = await client.call<{ chats: ChatMeta[]; activeChatId: string | null }>('GET', '/api/chats');
  const goesOn = options['continue'] === true || options['resume'] === true;
  // Sorts by time, because the list begins with the pinned chats.
  const ofFolder = chats.filter((one) => one.workspaceRoot === root).sort((left, right) => right.updatedAt.localeCompare(left.updatedAt));
  const newest = goesOn ? ofFolder.find((one) => !isUnlisted(one)) : undefined;
  if (newest) return { ...newest, isNew: false };
  const body = { workspaceMode: 'folder', workspaceRoot: root, activate: activeChatId === null };
  return { ...(await client.call<ChatMeta>('POST', '/api/chats', body)), isNew: true };
}

/** Resolves symbolic links in a path. The server reports a missing folder. */
async function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** Returns a description for display, such as `New chat in /work`. */
export function describeChat({ title, workspaceRoot, isNew }: Omit<ChosenChat, 'chatId'>): string {
  return `${isNew || title === '' ? 'New chat' : oneLine(title, 100)} in ${oneLine(workspaceRoot, 300)}`;
}

/** Returns the description with the data that other commands need to continue the chat: `New chat in /work (chat_01…, with small/one)`. */
export function describeWithId(chosen: ChosenChat): string {
  return `${describeChat(chosen)} (${chosen.chatId}${chosen.model === undefined ? '' : `, with ${oneLine(chosen.model, 100)}`})`;
}
