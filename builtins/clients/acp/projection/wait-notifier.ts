// Reports waits for a rate-limited or failing provider: the reason and the end, while nothing else happens.
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { retryText, type Transcript } from 'agent-harness/transcript';

export interface WaitNotifier {
  see(state: Transcript): void;
}

export interface WaitNotifierOptions {
  /** Milliseconds since 1970. */
  now(): number;
  /** Returns whether nothing more may be reported of a turn. */
  isOver(turnId: string): boolean;
  readonly showsNotices: boolean;
  tell(update: SessionUpdate): void;
}

/** Minimum length of a reported wait, in milliseconds. */
const minWaitMs = 2_000;

export function createWaitNotifier({ now, isOver, showsNotices, tell }: WaitNotifierOptions): WaitNotifier {
  let lastSent: string | undefined;

  /** Reports a text that is not part of the answer, if the editor distinguishes them. */
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
