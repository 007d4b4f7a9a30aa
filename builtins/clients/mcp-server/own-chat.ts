// The chat of a connection: made with its first message, and one message after the other.
import type { Client } from 'agent-harness/client';

export interface OwnChat {
  /** From then on what names no chat goes there. */
  choose(chatId: string): void;
  /** Runs when what was begun before in that chat is over. Left out: the chat of this connection. */
  inTurn<T>(chatId: string | undefined, run: (chatId: string) => Promise<T>): Promise<T>;
}

export function createOwnChat(client: Client): OwnChat {
  let own: Promise<string> | undefined;
  const tails = new Map<string, Promise<unknown>>();

  async function make(): Promise<string> {
    try {
      return (await client.call('POST /api/chats', { body: { workspaceMode: 'scratch', activate: false } })).chatId;
    } catch (fault) {
      own = undefined;
      throw fault;
    }
  }

  return {
    choose: (chatId) => void (own = Promise.resolve(chatId)),
    async inTurn(chatId, run) {
      const id = chatId ?? (await (own ??= make()));
      const ran = (tails.get(id) ?? Promise.resolve()).then(() => run(id));
      const tail = ran.catch(() => undefined);
      tails.set(id, tail);
      try {
        return await ran;
      } finally {
        if (tails.get(id) === tail) tails.delete(id);
      }
    },
  };
}
