// Loads the slash commands of the server, and runs one from the palette.
import { useEffect, useState } from 'react';
import type { OpenChat, ReplyOf } from 'agent-harness/client';
import { useClient } from '../../kit/hooks.ts';
import { useShell } from '../../kit/shell-context.ts';
import { useKnownPermission } from '../../points/use-permission.ts';

export type SlashCommand = ReplyOf<'GET /api/commands'>['commands'][number];

export function useSlashCommands(chat: OpenChat | undefined): { readonly commands: readonly SlashCommand[]; run(name: string, args: string): void } {
  const client = useClient();
  const { attempt } = useShell();
  const [commands, setCommands] = useState<readonly SlashCommand[]>([]);
  const chatId = chat?.chatId;
  const mayRun = useKnownPermission('chats.write');
  useEffect(() => {
    let isOver = false;
    if (!mayRun) return;
    client.call('GET /api/commands', { query: chatId === undefined ? {} : { chatId } }).then(
      (reply) => {
        if (!isOver) setCommands(reply.commands);
      },
      () => undefined, // the palette works without the commands
    );
    return () => {
      isOver = true;
    };
  }, [client, chatId, mayRun]);
  return {
    commands,
    run(name, args) {
      if (!chat) return;
      attempt(async () => {
        const { text } = await client.call('POST /api/commands', { body: { name, chatId: chat.chatId, ...(args === '' ? {} : { args }) } });
        if (text !== '') chat.note(text);
      });
    },
  };
}
