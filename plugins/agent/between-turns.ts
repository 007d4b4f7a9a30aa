// A conversation between two of its turns: reading it, and working on it while none runs.
import type { Emitter } from 'agent-harness/kernel';
import type { Turns } from 'agent-harness/plugins/agent';
import type { ModelMessage } from 'agent-harness/plugins/models';
import type { Conversation } from 'agent-harness/transcript';
import type { Conversations } from './conversations.ts';
import type { Lane, Lanes } from './lanes.ts';

export interface BetweenParts {
  readonly lanes: Pick<Lanes, 'of' | 'exclusive'>;
  readonly conversations: Pick<Conversations, 'open'>;
  /** With nothing left open in it. */
  openConversation(lane: Lane): Promise<Conversation>;
  busy(chatId: string, turnId: string): Error;
  readonly emitter: Emitter;
}

export function betweenTurns({ lanes, conversations, openConversation, busy, emitter }: BetweenParts): Pick<Turns, 'conversation' | 'between' | 'stillRead'> {
  const asRead = (chatId: string, messages: readonly ModelMessage[]): Promise<readonly ModelMessage[]> =>
    emitter.call('conversation.read', [messages, { chatId }]);
  const read = (chatId: string, { messages }: Conversation): Promise<readonly ModelMessage[]> => asRead(chatId, messages);
  return {
    conversation: async (chatId) => read(chatId, await conversations.open(chatId)),
    async between(chatId, work) {
      const lane = lanes.of(chatId);
      return lanes.exclusive(lane, async () => {
        if (lane.running) throw busy(chatId, lane.running.turn.turnId);
        return work(await read(chatId, await openConversation(lane)));
      });
    },
    async stillRead(chatId, messages) {
      const left = await asRead(chatId, messages);
      return messages.map((message, at) => left[at] === message);
    },
  };
}
