// What a chat has sent already, so that a secret is seen that leaves in pieces, a call at a time.
import { BoundedMap } from 'agent-harness/lib/values';

export interface SentTexts {
  /** Those before, oldest first, and from now on these, too. Calls that are decided about at the same time see each other. */
  begin(chatId: string, callId: string, texts: readonly string[]): readonly string[];
  /** It was not let through. */
  takeBack(chatId: string, callId: string): void;
  forget(chatId: string): void;
}

interface Sent {
  readonly callId: string;
  readonly texts: readonly string[];
}

/** Of one chat. */
const most = { calls: 64, signs: 2_000 };
const mostChats = 50;

export function createSentTexts(): SentTexts {
  const chats = new BoundedMap<string, readonly Sent[]>(mostChats);
  return {
    begin(chatId, callId, texts) {
      const before = (chats.get(chatId) ?? []).filter((sent) => sent.callId !== callId);
      const short = texts.map((text) => text.slice(0, most.signs));
      chats.set(chatId, [...before, { callId, texts: short }].slice(-most.calls));
      return before.flatMap((sent) => sent.texts);
    },
    takeBack(chatId, callId) {
      const found = chats.get(chatId);
      if (found)
        chats.set(
          chatId,
          found.filter((sent) => sent.callId !== callId),
        );
    },
    forget: (chatId) => void chats.delete(chatId),
  };
}
