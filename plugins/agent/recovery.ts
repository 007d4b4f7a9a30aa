// Recovers turns after a crash: reports each interrupted turn exactly once, and runs nothing again.
import { countWithNoun } from '#lib/text';
import { join } from 'node:path';
import type { Emitter, Registry } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import type { Repair } from 'agent-harness/plugins/chats';
import { endOpenTurns, readOpenTurns } from './open-turns.ts';
import type { OwnedTurns } from './turns.ts';
import type { manifest } from './manifest.ts';

/** Ends every turn that a terminated process left open. A chat that cannot be read or written is retried at the next start. */
export async function recoverTurns(registry: Registry<typeof manifest>, emitter: Emitter, turns: OwnedTurns): Promise<void> {
  const { markers } = turns;
  for (const chatId of await markers.list()) {
    // Skips turns of this process, and files whose names are not chat ids.
    if (!registry.services.storage.isId('chat', chatId) || turns.isBusy(chatId)) continue;
    try {
      await recoverChat(chatId, registry, emitter);
      markers.clear(chatId);
    } catch (cause) {
      registry.log.warn(`could not end the interrupted turns of ${chatId}: ${messageOf(cause)}`);
    }
  }
}

async function recoverChat(chatId: string, { services }: Registry<typeof manifest>, emitter: Emitter): Promise<void> {
  const { eventLog, models } = services;
  const conversation = await readOpenTurns(chatId, eventLog);
  if (endOpenTurns(chatId, conversation, models.route().model, emitter) > 0) await eventLog.flushed(chatId);
}

/** Rebuilds the marker files from the journals; the next start ends open turns. Call it only while no turn is running. */
export async function repairMarkers({ services }: Registry<typeof manifest>, { markers }: OwnedTurns): Promise<Repair[]> {
  const { chats, eventLog, product } = services;
  const left = new Set(await markers.list());
  const repairs: Repair[] = [];
  const addRepair = (chatId: string, text: string): void => void repairs.push({ path: join(product.home, 'running', chatId), text });
  for (const { chatId } of (await chats.list()).chats) {
    const count = (await readOpenTurns(chatId, eventLog)).openTurns.size;
    const isMarked = left.delete(chatId);
    if (isMarked === count > 0) continue;
    if (isMarked) {
      markers.clear(chatId);
      addRepair(chatId, 'No turn was running in this chat; the marker file was removed.');
    } else {
      markers.set(chatId);
      addRepair(
        chatId,
        `${countWithNoun(count, 'turn')} of this chat ${count === 1 ? 'has' : 'have'} no end; the next start of the server ends ${count === 1 ? 'it' : 'them'} as interrupted.`,
      );
    }
  }
  for (const chatId of left) {
    markers.clear(chatId);
    addRepair(chatId, 'The chat does not exist; the marker file was removed.');
  }
  return repairs;
}
