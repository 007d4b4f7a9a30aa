// Defines the contract of compression: context usage, compression events, and a hook that shortens requests earlier.
import type { Waterfall } from 'agent-harness/kernel';
import type { Turn } from 'agent-harness/plugins/agent';
import type { ModelMessage } from 'agent-harness/plugins/models';

declare module 'agent-harness/kernel' {
  interface Hooks {
    /**
     * Called when the context window fills up. Returns the same messages, some of them shortened. Called for the whole conversation and for the part that is
     * sent; equal messages must yield equal texts.
     */
    'context.shorten': Waterfall<readonly ModelMessage[], [Turn]>;
  }
  interface Events {
    /**
     * Emitted when the next request of a turn fills 60 or 85 percent of the context window. `used` and `limit` are tokens; `used` is estimated from the last
     * request.
     */
    context_notice: { readonly chatId: string; readonly turnId: string; readonly used: number; readonly limit: number };
    /**
     * Emitted when rounds were shortened: tokens of the request before and after, and the number of shortened rounds. `turnId` is omitted if the compression
     * was requested between two turns.
     */
    context_compressed: {
      readonly chatId: string;
      readonly turnId?: string;
      readonly before: number;
      readonly after: number;
      readonly rounds: number;
    };
  }
}
