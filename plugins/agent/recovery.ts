// After a crash: what was running is told to be interrupted, exactly once, and nothing runs again by itself.
import type { Emitter, Registry } from 'agent-harness/kernel';
import { createFold } from './conversation.ts';
import type { manifest } from './index.ts';
import { interruptedOutput } from './replies.ts';
import type { OwnedTurns } from './turns.ts';

/** Ends every turn that a dead process left open. A chat that cannot be read or written now is looked at again at the next start. */
export async function recoverTurns(registry: Registry<typeof manifest>, emitter: Emitter, turns: OwnedTurns): Promise<void> {
  const { markers } = turns;
  for (const chatId of await markers.list()) {
    // What runs in this process is not dead, and what has another name is not ours.
    if (!registry.services.storage.isId('chat', chatId) || turns.isBusy(chatId)) continue;
    try {
      await recoverChat(chatId, registry, emitter);
      markers.clear(chatId);
    } catch (cause) {
      registry.log.warn(`could not end the interrupted turns of ${chatId}: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
  }
}

async function recoverChat(chatId: string, { services }: Registry<typeof manifest>, emitter: Emitter): Promise<void> {
  const { eventLog, models } = services;
  const fold = createFold(() => undefined);
  for await (const event of eventLog.read(chatId)) fold.take(event);
  const { openTurns } = fold.conversation;
  if (openTurns.size === 0) return;
  for (const [turnId, turn] of openTurns) {
    if (!turn.isStarted) emitter.emit('turn_start', { chatId, turnId, messageId: turn.messageId, model: models.route().model });
    for (const [callId, name] of turn.openCalls) {
      emitter.emit('tool_result', { chatId, turnId, callId, name, ok: false, output: interruptedOutput, durationMs: 0 });
    }
    const durationMs = Math.max(0, Date.now() - Date.parse(turn.startedAt));
    emitter.emit('turn_end', { chatId, turnId, reason: 'interrupted', durationMs, rounds: 0, tools: 0, usage: { input: 0, output: 0, cached: 0 } });
  }
  await eventLog.flushed(chatId);
}
