// Which chats went for good while nobody here heard of it: the plugin was switched off, or left out of the start.
import { hasCode } from 'agent-harness/lib/errors';
import type { Chats } from 'agent-harness/plugins/chats';

/** Of these chats the ones that are neither here nor in the trash. The trash is looked at only where one is not here. */
export async function goneChats(ids: Iterable<string>, chats: Pick<Chats, 'peek' | 'list' | 'trash'>): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  for (const id of ids) {
    try {
      await chats.peek(id);
    } catch (fault) {
      if (!hasCode(fault, 'CHATS_ERR_NOT_FOUND')) throw fault;
      missing.add(id);
    }
  }
  if (missing.size > 0) for (const { chatId } of await chats.trash()) missing.delete(chatId);
  // One whose facts cannot be read may be made again from its journal.
  if (missing.size > 0) for (const id of (await chats.list({ archived: true })).orphanIds) missing.delete(id);
  return missing;
}
