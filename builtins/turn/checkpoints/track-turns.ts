// Tracks the user's running turn in each chat, and whether a model is working in it.
import type { Emitter } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';

export interface RunningTurns {
  /** Returns the user's turn to which a tool call belongs; an undo reverts the changes of sub-agents with the turn that started them. */
  rootTurn(chatId: string): string | undefined;
  /** Returns whether a round has started; a turn that only answers a slash command has no rounds. */
  isWorking(chatId: string): boolean;
}

export function trackTurns(emitter: Emitter, isBusy: (chatId: string) => boolean): RunningTurns {
  const turns = new Map<string, { readonly turnId: string; isWorking: boolean }>();
  emitter.tap('turn.before', (turn) => {
    if (turn.isRoot) turns.set(turn.chatId, { turnId: turn.turnId, isWorking: false });
  });
  emitter.tap('round.before', (turn) => {
    if (turn.isRoot) turns.set(turn.chatId, { turnId: turn.turnId, isWorking: true });
  });
  emitter.tap('turn.after', (turn) => {
    // The next turn in the queue may have started already.
    if (turns.get(turn.chatId)?.turnId === turn.turnId) turns.delete(turn.chatId);
  });
  const current = (chatId: string): { turnId: string; isWorking: boolean } | undefined => (isBusy(chatId) ? turns.get(chatId) : undefined);
  return {
    rootTurn: (chatId) => current(chatId)?.turnId,
    isWorking: (chatId) => current(chatId)?.isWorking === true,
  };
}
