// Sends a decision once, and says what came of it where it did not go through.
import { CallError, type OpenChat } from 'agent-harness/client';
import { messageOf } from 'agent-harness/lib/errors';
import { useRef, useState } from 'react';

export interface Deciding {
  /** From the press on until the decision is gone from the chat, or has failed. */
  readonly isBusy: boolean;
  /** Why it did not go through and can be tried again. */
  readonly problem: string | undefined;
  decide(send: () => Promise<void>): void;
}

/** Somebody else was faster, or the time was up. */
const lateCodes: readonly string[] = ['already_resolved', 'expired', 'not_found'];

export function useDeciding(chat: OpenChat): Deciding {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  // A second press comes before the first is drawn.
  const isSent = useRef(false);

  async function run(send: () => Promise<void>): Promise<void> {
    isSent.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      await send();
    } catch (fault) {
      isSent.current = false;
      setBusy(false);
      const message = messageOf(fault);
      if (!(fault instanceof CallError && lateCodes.includes(fault.code))) return setProblem(message);
      chat.note(message);
      // It still stands here, so an event was missed.
      await chat.reload().catch(() => undefined);
    }
  }

  return {
    isBusy,
    problem,
    decide(send) {
      if (!isSent.current) void run(send);
    },
  };
}
