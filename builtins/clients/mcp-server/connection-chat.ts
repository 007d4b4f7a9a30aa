// Manages the chat of a connection: creates it in the connection's folder with the first message, and runs one message at a time.
import type { Client } from 'agent-harness/client';
import { createSerialQueues } from '#lib/async';

export interface OwnChat {
  /** Makes the chat the default chat. */
  choose(chatId: string): void;
  /** Called when the folder of the connection changed: the next message creates a new chat if the current one was created automatically. */
  leave(): void;
  /** Runs work in a chat after the earlier work in that chat has ended. Default: the chat of this connection. */
  inTurn<T>(chatId: string | undefined, run: (chatId: string) => Promise<T>): Promise<T>;
}

/** @param findFolder returns the working folder; `undefined` for a scratch folder */
export function createConnectionChat(client: Client, findFolder: () => Promise<string | undefined>): OwnChat {
  let own: Promise<string> | undefined;
  let isChosen = false;
  const queues = createSerialQueues<string>();

  async function make(): Promise<string> {
    try {
      const folder = await findFolder();
      const where = folder === undefined ? { workspaceMode: 'scratch' as const } : { workspaceMode: 'folder' as const, workspaceRoot: folder };
      return (await client.call('POST /api/chats', { body: { ...where, activate: false } })).chatId;
    } catch (fault) {
      own = undefined;
      throw fault;
    }
  }

  return {
    choose(chatId) {
      own = Promise.resolve(chatId);
      isChosen = true;
    },
    leave() {
      if (!isChosen) own = undefined;
    },
    async inTurn(chatId, run) {
      const id = chatId ?? (await (own ??= make()));
      return queues.run(id, () => run(id));
    },
  };
}
