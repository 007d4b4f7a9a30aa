// Terminals of the editor in the cards of calls. The server's word of a call and the terminal that runs it come on different ways.
import { withLimit } from 'agent-harness/lib/async';
import type { ShownInCards } from './tool-card.ts';

export interface ShownTerminals {
  readonly find: ShownInCards['terminal'];
  /** Resolves when the card of the call has the terminal; after a while also where it has no card. Never rejects. */
  show(callId: string, terminalId: string): Promise<void>;
  /** Cards may have come. */
  check(): void;
}

/** Milliseconds. */
const patienceMs = 2_000;

/** @param retell answers whether there is a card, which now has what there is to show */
export function createShownTerminals(retell: (callId: string) => boolean): ShownTerminals {
  const known = new Map<string, string>();
  const waiting = new Map<string, () => void>();
  return {
    find: (callId) => known.get(callId),
    async show(callId, terminalId) {
      known.set(callId, terminalId);
      if (retell(callId)) return;
      await withLimit(new Promise<void>((resolve) => waiting.set(callId, resolve)), patienceMs, () => undefined);
      waiting.delete(callId);
    },
    check() {
      for (const [callId, resolve] of waiting) if (retell(callId)) resolve();
    },
  };
}
