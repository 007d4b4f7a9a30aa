// Implements the actions of `chats` on one chat, and on the trash.
import { countWithNoun, oneLine } from '#lib/text';
import type { ChatChange, ChatMeta, TrashedChat } from 'agent-harness/plugins/chats';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { readAnswer } from '../answer.ts';
import { exitCodes } from '../cli-parts.ts';
import type { Client } from '../http-client.ts';
import { alignColumns } from '../table.ts';

/** The arguments of an action. */
export interface ChatUse {
  /** Id of the chat; empty if none is given. */
  readonly id: string;
  /** The remaining arguments. */
  readonly words: readonly string[];
  readonly asJson: boolean;
  /** Whether the user passed the flag that skips the confirmation. */
  readonly isSure: boolean;
  readonly withArchived: boolean;
  /** Options of `export` and `import`. */
  readonly files: {
    /** Current working directory. */
    readonly folder: string;
    readonly format?: string;
    readonly out?: string;
    /** Workspace for an imported chat. */
    readonly workspace?: string;
    readonly withSecrets: boolean;
  };
}

export interface ChatAction {
  readonly takes: 'nothing' | 'id' | 'file' | 'more';
  /** Returns why the arguments are invalid, as text that follows the name of the action. */
  whyNot?(use: ChatUse): string | undefined;
  /** Resolves with the exit code. */
  run(client: Client, use: ChatUse, output: CliOutput): Promise<number>;
}

export function pathOf(id: string): string {
  return `/api/chats/${encodeURIComponent(id)}`;
}

function trashPathOf(id: string): string {
  return `/api/chats/trash/${encodeURIComponent(id)}`;
}

function change(toBody: (words: readonly string[]) => ChatChange, say: (chat: ChatMeta) => string): ChatAction['run'] {
  return async (client, { id, words, asJson }, output) => {
    const chat = await client.call<ChatMeta>('PATCH', pathOf(id), toBody(words));
    return asJson ? printJson(chat, output) : print(say(chat), output);
  };
}

export const changes: Readonly<Record<string, ChatAction>> = {
  pin: { takes: 'id', run: change(() => ({ pinned: true }), () => 'Pinned: it is listed first.') }, // prettier-ignore
  unpin: { takes: 'id', run: change(() => ({ pinned: false }), () => 'No longer pinned.') }, // prettier-ignore
  archive: { takes: 'id', run: change(() => ({ archived: true }), () => "Archived; 'chats list --archived' shows it.") }, // prettier-ignore
  unarchive: { takes: 'id', run: change(() => ({ archived: false }), () => 'Back in the list.') }, // prettier-ignore
  mode: {
    takes: 'more',
    whyNot: ({ words }) => (words.length === 1 ? undefined : 'needs an id and a mode: ask, careful, plan or auto.'),
    run: change(([mode]) => ({ mode: mode as ChatMeta['mode'] }), (chat) => `The mode is ${chat.mode}.`), // prettier-ignore
  },
  tag: {
    takes: 'more',
    run: change((tags) => ({ tags: [...tags] }), ({ tags }) => (tags.length === 0 ? 'It has no tags.' : `Tags: ${oneLine(tags.join(', '), 300)}.`)), // prettier-ignore
  },
};

export async function remove(client: Client, { id, asJson }: ChatUse, output: CliOutput): Promise<number> {
  const reply = await client.call('DELETE', pathOf(id));
  return asJson ? printJson(reply, output) : print("Deleted. It stays in the trash for 30 days; 'chats restore' restores it.", output);
}

export async function listTrash(client: Client, { asJson }: ChatUse, output: CliOutput): Promise<number> {
  const reply = await readTrash(client);
  if (asJson) return printJson(reply, output);
  if (reply.chats.length === 0) output.out('The trash is empty.\n');
  const daysOf = ({ daysLeft }: TrashedChat): string => `${countWithNoun(daysLeft, 'day')} left`;
  output.out(alignColumns(reply.chats.map((chat) => [chat.chatId, chat.deletedAt.slice(0, 16).replace('T', ' '), daysOf(chat), oneLine(chat.title, 60)])));
  return exitCodes.done;
}

export async function restore(client: Client, { id, asJson }: ChatUse, output: CliOutput): Promise<number> {
  const chat = await client.call<ChatMeta>('POST', `${trashPathOf(id)}/restore`, {});
  return asJson ? printJson(chat, output) : print(`“${oneLine(chat.title, 60)}” was restored.`, output);
}

/** Deletes a chat. Asks for confirmation, because the deletion is irreversible. */
export async function erase(client: Client, { id, asJson, isSure }: ChatUse, output: CliOutput): Promise<number> {
  if (!isSure && output.isInputTerminal !== true) {
    output.err('Nothing was erased: erasing cannot be undone, and there is no terminal to confirm it. Add --yes.\n');
    return exitCodes.unanswered;
  }
  if (!isSure) {
    const title = (await readTrash(client)).chats.find(({ chatId }) => chatId === id)?.title ?? id;
    output.out(`Erase “${oneLine(title, 60)}” permanently? This cannot be undone. [y/N] `);
    if (!/^y(es)?$/i.test((await readAnswer(output)).trim())) return print('Nothing was erased.', output);
  }
  const reply = await client.call('DELETE', trashPathOf(id));
  return asJson ? printJson(reply, output) : print('Erased.', output);
}

function readTrash(client: Client): Promise<{ chats: TrashedChat[] }> {
  return client.call<{ chats: TrashedChat[] }>('GET', '/api/chats/trash');
}

export function printJson(reply: unknown, output: CliOutput): number {
  return print(JSON.stringify(reply, undefined, 2), output);
}

function print(text: string, output: CliOutput): number {
  output.out(`${text}\n`);
  return exitCodes.done;
}
