// Writes files in the folder of a chat that may be deleted during the write.

/** Runs `write`. If it fails because the chat was deleted, rejects with the error of `get` for a missing chat, not with the disk error. */
export async function writeWithChat<T>(chats: { get(chatId: string): Promise<unknown> }, chatId: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (fault) {
    await chats.get(chatId);
    throw fault;
  }
}
