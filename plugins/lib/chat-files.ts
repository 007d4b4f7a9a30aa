// Writes files in the folder of a chat that may be deleted during the write.

/** Runs `write`. If it fails because the chat was deleted, rejects with the error that `get` has for a missing chat instead of the disk error. */
export async function writeWithChat<T>(chats: { get(chatId: string): Promise<unknown> }, chatId: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (fault) {
    await chats.get(chatId);
    throw fault;
  }
}
