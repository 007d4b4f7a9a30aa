// Writes files in the folder of a chat, which may be deleted meanwhile.

/**
 * Runs the write. If it fails because the chat was deleted meanwhile, rejects with the error of `get` for a missing chat
 * instead of the disk fault.
 */
export async function keepWithChat<T>(chats: { get(chatId: string): Promise<unknown> }, chatId: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (fault) {
    await chats.get(chatId);
    throw fault;
  }
}
