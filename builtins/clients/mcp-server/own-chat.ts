// The chat of a connection: made with its first message, in the folder of the connection, and one message after the other.
import type { Client } from 'agent-harness/client';
import { createSerialQueues } from 'agent-harness/lib/async';

export interface OwnChat {
  /** From then on what names no chat goes there. */
  choose(chatId: string): void;
  /** The folder of the connection may be another one now: a chat that nobody chose is made anew with the next message. */
  leave(): void;
  /** Runs when what was begun before in that chat is over. Left out: the chat of this connection. */
  inTurn<T>(chatId: string | undefined, run: (chatId: string) => Promise<T>): Promise<T>;
}

/** @param findFolder answers where to work; nothing for an empty folder of its own */
export function createOwnChat(client: Client, findFolder: () => Promise<string | undefined>): OwnChat {
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
