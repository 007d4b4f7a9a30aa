// Repeats a turn in a new branch of the chat, so that the original stays unchanged.
import { messageOf } from '#lib/errors';
import type { Client, OpenChat, ShownFile, UserEntry } from 'agent-harness/client';
import { use, useState } from 'react';
import { ChatContext, goTo, useClient } from '../../../kit/hooks.ts';
import { usePermission } from '../../../points/use-permission.ts';
import { RunningTurnContext } from '../running-turn.ts';
import { t } from '../../../kit/t.ts';

export interface Again {
  readonly isBusy: boolean;
  /** Returns whether the message was sent. Never rejects: errors are shown in the chat. @param text new text of the message; default: unchanged */
  run(turnId: string, text?: string): Promise<boolean>;
}

/** Returns the action that repeats a turn; `undefined` if the user lacks the right or a turn is running. */
export function useAgain(): Again | undefined {
  const client = useClient();
  const chat = use(ChatContext);
  const running = use(RunningTurnContext);
  const may = usePermission('chats.write');
  const [isBusy, setBusy] = useState(false);
  if (!may || !chat || running !== undefined) return undefined;
  return {
    isBusy,
    async run(turnId, text) {
      setBusy(true);
      try {
        goTo({ page: 'chat', id: await branch(client, chat, turnId, text) });
        return true;
      } catch (fault) {
        chat.note(t('The message could not be resent: {fault}', { fault: messageOf(fault) }));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

async function branch(client: Client, chat: OpenChat, turnId: string, text: string | undefined): Promise<string> {
  const said = askedIn(chat, turnId);
  if (!said) throw new Error(t('the original message is not loaded; scroll up to it first.'));
  const attachments = await Promise.all(said.attachments.map((file) => readFile(client, chat.chatId, file)));
  const { chatId } = await client.call('POST /api/chats/:id/fork', { params: { id: chat.chatId }, body: { beforeTurn: turnId } });
  await client.refreshChats();
  client.open(chatId).send(text ?? said.text, { attachments });
  return chatId;
}

/** Returns the user's request in a turn, without messages that were sent while it ran. */
export function askedIn(chat: OpenChat, turnId: string): UserEntry | undefined {
  return chat.state
    .get()
    .entries.find((entry): entry is UserEntry => entry.kind === 'user' && entry.turnId === turnId && entry.isSteer !== true && !entry.origin);
}

async function readFile(client: Client, chatId: string, { name, attachmentId }: ShownFile): Promise<{ name: string; dataUrl: string }> {
  if (attachmentId === undefined) throw new Error(t('“{name}” is no longer stored.', { name }));
  const bytes = await client.bytes(`/api/attachments/${attachmentId}?${new URLSearchParams({ chatId }).toString()}`);
  const dataUrl = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new Error(t('“{name}” could not be read.', { name })));
    reader.readAsDataURL(bytes);
  });
  return { name, dataUrl };
}
