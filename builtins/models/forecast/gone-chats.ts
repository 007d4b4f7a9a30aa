// Which chats went for good while nobody here heard of it: the plugin was switched off, or left out of the start.
import type { Chats } from 'agent-harness/plugins/chats';
import type { Storage } from 'agent-harness/plugins/storage';

/** Of these chats the ones that are neither here, readable or not, nor in the trash. A turn waits for it: none is opened, and the trash is looked at only where one is not here. */
export async function goneChats(ids: Iterable<string>, chats: Pick<Chats, 'folder' | 'trash'>, storage: Pick<Storage, 'has'>): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  await Promise.all(Array.from(ids, async (id) => ((await storage.has(chats.folder(id))) ? undefined : missing.add(id))));
  if (missing.size > 0) for (const { chatId } of await chats.trash()) missing.delete(chatId);
  return missing;
}
