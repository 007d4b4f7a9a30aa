// A conversation between two of its turns: reading it, and working on it while none runs.
import type { Turns } from 'agent-harness/plugins/agent';
import type { Conversation } from 'agent-harness/transcript';
import type { Conversations } from './conversations.ts';
import type { Lane, Lanes } from './lanes.ts';

export interface BetweenParts {
  readonly lanes: Pick<Lanes, 'of' | 'exclusive'>;
  readonly conversations: Pick<Conversations, 'open'>;
  /** With nothing left open in it. */
  openConversation(lane: Lane): Promise<Conversation>;
  busy(chatId: string, turnId: string): Error;
}

export function betweenTurns({ lanes, conversations, openConversation, busy }: BetweenParts): Pick<Turns, 'conversation' | 'between'> {
  return {
    conversation: async (chatId) => (await conversations.open(chatId)).messages,
    async between(chatId, work) {
      const lane = lanes.of(chatId);
      return lanes.exclusive(lane, async () => {
        if (lane.running) throw busy(chatId, lane.running.turn.turnId);
        return work((await openConversation(lane)).messages);
      });
    },
  };
}
