// Sends the context usage of a chat to the editor.
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { createContextUse as createUse, type WireEvent } from 'agent-harness/client';
import type { Transcript } from 'agent-harness/transcript';

export interface ContextUse {
  /** Receives every event of the chat. */
  hear(event: WireEvent): void;
  /** Returns the change since the last call; `undefined` if nothing changed or the context window is unknown. */
  take(state: Transcript): SessionUpdate | undefined;
}

/** @param window returns the context window of the chat's model, if it is known */
export function createContextUse({ window }: { readonly window: () => number | undefined }): ContextUse {
  let limit: number | undefined;
  const use = createUse(() => window() ?? limit);
  let lastSent = '';
  return {
    hear(event) {
      use.hear(event);
      if (event.kind === 'context_notice') limit = Number(event['limit']);
    },
    take({ usage: { cost } }) {
      const now = use.read();
      if (!now) return undefined;
      const update: SessionUpdate = { sessionUpdate: 'usage_update', ...now, ...(cost === undefined ? {} : { cost: { amount: cost, currency: 'USD' } }) };
      const text = JSON.stringify(update);
      if (text === lastSent) return undefined;
      lastSent = text;
      return update;
    },
  };
}
