// Links the editor's terminals to the cards of calls. Calls and terminals are reported over different channels.
import { withLimit } from '#lib/async';
import type { ShownInCards } from './tool-card.ts';

export interface ShownTerminals {
  readonly find: ShownInCards['terminal'];
  /** Resolves when the call's card shows the terminal, or after a timeout if there is no card. Never rejects. */
  show(callId: string, terminalId: string): Promise<void>;
  /** Call when cards may have been added. */
  check(): void;
}

/** Time limit for the card of a call, in milliseconds. */
const patienceMs = 2_000;

/** @param reportAgain sends the card of a call again; returns whether it exists */
export function createShownTerminals(reportAgain: (callId: string) => boolean): ShownTerminals {
  const known = new Map<string, string>();
  const waiting = new Map<string, () => void>();
  return {
    find: (callId) => known.get(callId),
    async show(callId, terminalId) {
      known.set(callId, terminalId);
      if (reportAgain(callId)) return;
      await withLimit(new Promise<void>((resolve) => waiting.set(callId, resolve)), patienceMs, () => undefined);
      waiting.delete(callId);
    },
    check() {
      for (const [callId, resolve] of waiting) if (reportAgain(callId)) resolve();
    },
  };
}
