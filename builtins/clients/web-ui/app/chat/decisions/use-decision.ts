// Sends a decision once and reports failures.
import { CallError, type OpenChat } from 'agent-harness/client';
import { messageOf } from '#lib/errors';
import { useRef, useState } from 'react';

export interface DecisionSender {
  /** Set from the press until the decision disappears or fails. */
  readonly isBusy: boolean;
  /** Reason for a failure that can be retried. */
  readonly problem: string | undefined;
  decide(send: () => Promise<void>): void;
}

/** Error codes for decisions that were made elsewhere or timed out. */
const lateCodes: readonly string[] = ['already_resolved', 'expired', 'not_found'];

export function useDecision(chat: OpenChat): DecisionSender {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  // The button may be pressed again before the next rendering.
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
      // The decision is still displayed, so an event was missed.
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
