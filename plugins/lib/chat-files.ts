// What is kept in the folder of a chat, which may go while it is written.

/**
 * Writes there. Where that fails because the chat was deleted meanwhile, it rejects with what asking for such a chat rejects with, and
 * not with a fault of the disk.
 */
export async function keepWithChat<T>(chats: { get(chatId: string): Promise<unknown> }, chatId: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (fault) {
    await chats.get(chatId);
    throw fault;
  }
}
