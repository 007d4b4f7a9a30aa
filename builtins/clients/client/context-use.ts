// Computes the context usage of a chat from its latest model request.
import { handle } from 'agent-harness/transcript';
import type { WireEvent } from './api.ts';

export interface ContextUse {
  /** Receives every event of the chat. */
  hear(event: WireEvent): void;
  /** Number of tokens; `undefined` before the first request or if the context window is unknown. */
  read(): { readonly used: number; readonly size: number } | undefined;
}

/** @param window returns the context window of the chat's model, if it is known */
export function createContextUse(window: () => number | undefined): ContextUse {
  let used: number | undefined;
  return {
    hear(event) {
      handle(event, {
        usage({ purpose, input = 0, output = 0 }) {
          if (purpose === 'chat') used = input + output;
        },
      });
    },
    read() {
      const size = window();
      return used !== undefined && size !== undefined && Number.isSafeInteger(used) && Number.isSafeInteger(size) && size > 0 ? { used, size } : undefined;
    },
  };
}
