// Sends a decision once, and reports its result if it failed.
import { CallError, type OpenChat } from 'agent-harness/client';
import { messageOf } from '#lib/errors';
import { useRef, useState } from 'react';

export interface Deciding {
  /** From the press until the decision disappears from the chat, or fails. */
  readonly isBusy: boolean;
  /** Why it failed and can be retried. */
  readonly problem: string | undefined;
  decide(send: () => Promise<void>): void;
}

/** Decided elsewhere, or timed out. */
const lateCodes: readonly string[] = ['already_resolved', 'expired', 'not_found'];

export function useDeciding(chat: OpenChat): Deciding {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  // A second press may precede the next rendering.
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
      // It is still shown, so an event was missed.
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
