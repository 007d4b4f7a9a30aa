// Finds the turns that a terminated process left open in a chat's journal, and ends them as interrupted.
import type { Emitter } from 'agent-harness/kernel';
import type { EventLog } from 'agent-harness/plugins/chats';
import { createConversation, interruptedOutput, type Conversation, type EventKind } from 'agent-harness/transcript';
import { createSay } from './live-turn.ts';

/** Folds a chat's journal into a conversation to find open turns and running work, without loading the attached files. */
export async function readOpenTurns(chatId: string, eventLog: EventLog): Promise<Conversation> {
  const conversation = createConversation();
  for await (const event of eventLog.read(chatId)) conversation.take(event.kind as EventKind, event);
  return conversation;
}

/**
 * Emits the missing events of open turns: the start, a result for every call, and the end. Does not run anything again. Returns the number of turns that were
 * ended.
 */
export function endOpenTurns(chatId: string, conversation: Conversation, model: string, emitter: Emitter): number {
  const say = createSay(conversation, emitter);
  const open = [...conversation.openTurns];
  for (const [turnId, turn] of open) {
    if (!turn.isStarted) say('turn_start', { chatId, turnId, messageId: turn.messageId, model });
    for (const [callId, { name, printed }] of [...turn.openCalls]) {
      const output = printed === '' ? interruptedOutput : `${interruptedOutput} Output until then:\n${printed}`;
      say('tool_result', { chatId, turnId, callId, name, ok: false, output, durationMs: 0 });
    }
    const durationMs = turn.startedAt === undefined ? 0 : Math.max(0, Date.now() - Date.parse(turn.startedAt));
    say('turn_end', { chatId, turnId, reason: 'interrupted', durationMs, rounds: 0, tools: 0, usage: { input: 0, output: 0, cached: 0 } });
  }
  return open.length;
}
