// How full the context of a chat is, from what its model was last given.
import { handle } from 'agent-harness/transcript';
import type { WireEvent } from './api.ts';

export interface ContextUse {
  /** Every event of the chat. */
  hear(event: WireEvent): void;
  /** Tokens; `undefined` where nothing was said yet, or the size of the window is unknown. */
  read(): { readonly used: number; readonly size: number } | undefined;
}

/** @param window tokens that the model of the chat takes, where that is known */
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
