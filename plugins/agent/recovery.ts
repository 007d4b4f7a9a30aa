// After a crash: what was running is told to be interrupted, exactly once, and nothing runs again by itself.
import type { Emitter, Registry } from 'agent-harness/kernel';
import { createFold, interruptedOutput } from './conversation.ts';
import type { manifest } from './index.ts';
import type { Markers } from './markers.ts';

/** Ends every turn that a dead process left open. */
export async function recoverTurns(registry: Registry<typeof manifest>, emitter: Emitter, markers: Markers): Promise<void> {
  const { storage } = registry.services;
  for (const chatId of await markers.list()) {
    if (storage.isId('chat', chatId)) await recoverChat(chatId, registry, emitter);
    markers.clear(chatId);
  }
}

async function recoverChat(chatId: string, registry: Registry<typeof manifest>, emitter: Emitter): Promise<void> {
  const { eventLog, models } = registry.services;
  const fold = createFold(() => undefined);
  try {
    for await (const event of eventLog.read(chatId)) fold.take(event);
  } catch (cause) {
    registry.log.warn(`could not look for interrupted turns in ${chatId}: ${cause instanceof Error ? cause.message : String(cause)}`);
    return;
  }
  for (const [turnId, turn] of fold.conversation.openTurns) {
    if (!turn.isStarted) emitter.emit('turn_start', { chatId, turnId, messageId: turn.messageId, model: models.route().model });
    for (const [callId, name] of turn.openCalls) {
      emitter.emit('tool_result', { chatId, turnId, callId, name, ok: false, output: interruptedOutput, durationMs: 0 });
    }
    const durationMs = Math.max(0, Date.now() - Date.parse(turn.startedAt));
    emitter.emit('turn_end', { chatId, turnId, reason: 'interrupted', durationMs, rounds: 0, tools: 0, usage: { input: 0, output: 0, cached: 0 } });
  }
  await eventLog.flushed(chatId);
}
