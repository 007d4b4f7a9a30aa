// The contract of compression: context usage, compression events, and a hook to shorten requests earlier.
import type { Waterfall } from 'agent-harness/kernel';
import type { Turn } from 'agent-harness/plugins/agent';
import type { ModelMessage } from 'agent-harness/plugins/models';

declare module 'agent-harness/kernel' {
  interface Hooks {
    /**
     * The context is filling up: returns the same messages, some of them shortened. Called for the whole conversation and for
     * the part shown. The same message must give the same text each time.
     */
    'context.shorten': Waterfall<readonly ModelMessage[], [Turn]>;
  }
  interface Events {
    /** The next request of a turn fills 60 or 85 percent of the context. Tokens; estimated from the usage of the last request. */
    context_notice: { readonly chatId: string; readonly turnId: string; readonly used: number; readonly limit: number };
    /**
     * Rounds are shortened from here on. Tokens of the request before and after, and the number of shortened rounds. Without a turn if
     * requested between two turns.
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
