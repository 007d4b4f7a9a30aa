// Notifies the editor while a turn waits for a rate-limited or failing provider: reason and end of the wait.
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { retryText, type Transcript } from 'agent-harness/transcript';

export interface WaitNotifier {
  see(state: Transcript): void;
}

export interface WaitNotifierOptions {
  /** Returns the current time as a Unix timestamp in milliseconds. */
  now(): number;
  /** Returns whether updates of a turn must no longer be sent. */
  isOver(turnId: string): boolean;
  readonly showsNotices: boolean;
  tell(update: SessionUpdate): void;
}

/** Minimum length of a reported wait, in milliseconds. */
const minWaitMs = 2_000;

export function createWaitNotifier({ now, isOver, showsNotices, tell }: WaitNotifierOptions): WaitNotifier {
  let lastSent: string | undefined;

  /** Sends text that is not part of the answer: as a notice if the editor supports notices, otherwise as a thought. */
  function notify(text: string): void {
    if (showsNotices) tell({ sessionUpdate: 'notice', severity: 'warning', title: text });
    else tell({ sessionUpdate: 'agent_thought_chunk', messageId: `note-${crypto.randomUUID()}`, content: { type: 'text', text } });
  }

  return {
    see({ running }) {
      const { turnId, retry } = running ?? {};
      if (turnId === undefined || !retry || isOver(turnId)) return;
      const wait = `${turnId} ${retry.until}`;
      if (wait === lastSent || Date.parse(retry.until) - now() < minWaitMs) return;
      lastSent = wait;
      notify(`${retryText(retry, now())}.`);
    },
  };
}
