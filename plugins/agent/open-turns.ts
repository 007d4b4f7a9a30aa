// Turns that a dead process left open: found in a chat's journal, and told to be interrupted.
import type { Emitter } from 'agent-harness/kernel';
import type { EventLog } from 'agent-harness/plugins/chats';
import { createConversation, interruptedOutput, type EventKind, type OpenTurn } from 'agent-harness/transcript';

export type OpenTurns = ReadonlyMap<string, OpenTurn>;

/** By turn id, oldest first. Of a chat in which something runs, that is open, too. */
export async function findOpenTurns(chatId: string, eventLog: EventLog): Promise<OpenTurns> {
  const conversation = createConversation();
  for await (const event of eventLog.read(chatId)) conversation.take(event.kind as EventKind, event);
  return conversation.openTurns;
}

/** Each gets the start it may lack, a result for every call, and its end. Nothing runs again. */
export function endOpenTurns(chatId: string, openTurns: OpenTurns, model: string, emitter: Emitter): void {
  for (const [turnId, turn] of openTurns) {
    if (!turn.isStarted) emitter.emit('turn_start', { chatId, turnId, messageId: turn.messageId, model });
    for (const [callId, name] of turn.openCalls) {
      emitter.emit('tool_result', { chatId, turnId, callId, name, ok: false, output: interruptedOutput, durationMs: 0 });
    }
    const durationMs = turn.startedAt === undefined ? 0 : Math.max(0, Date.now() - Date.parse(turn.startedAt));
    emitter.emit('turn_end', { chatId, turnId, reason: 'interrupted', durationMs, rounds: 0, tools: 0, usage: { input: 0, output: 0, cached: 0 } });
  }
}
