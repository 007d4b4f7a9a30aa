// Which chats wait for a decision of a person, also those that are not open.
import { useEffect, useState } from 'react';
import type { Client } from 'agent-harness/client';

/** Events after which another chat may wait, or none any more. */
const changes = /^(?:tool_approval|approval_decision|ask_user|ask_user_answered|turn_end|resync|connected)$/;
/** Milliseconds: several calls of one round ask together. */
const settle = 60;

export function useWaitingChats(client: Client): ReadonlySet<string> {
  const [waiting, setWaiting] = useState<ReadonlySet<string>>(() => new Set());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const read = async (): Promise<void> => {
      timer = undefined;
      try {
        const { approvals, questions } = await client.call('GET /api/pending');
        const next = new Set([...approvals, ...questions].map(({ chatId }) => chatId));
        if (!isOver) setWaiting((now) => (now.size === next.size && [...next].every((chatId) => now.has(chatId)) ? now : next));
      } catch {
        // The connection indicator says what is wrong; the next event asks again.
      }
    };
    const leave = client.on(({ kind }) => {
      if (changes.test(kind)) timer ??= setTimeout(() => void read(), settle);
    });
    void read();
    return () => {
      isOver = true;
      clearTimeout(timer);
      leave();
    };
  }, [client]);
  return waiting;
}
