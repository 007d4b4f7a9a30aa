// How full the context of a chat is, that it was compressed, and who may make a request shorter before that.
import type { Waterfall } from 'agent-harness/kernel';
import type { Turn } from 'agent-harness/plugins/agent';
import type { ModelMessage } from 'agent-harness/plugins/models';

declare module 'agent-harness/kernel' {
  interface Hooks {
    /**
     * The context fills up: answers the same messages, some of them shorter. Called for the whole conversation and for what
     * is shown of it. The same message must give the same text each time.
     */
    'context.shorten': Waterfall<readonly ModelMessage[], [Turn]>;
  }
  interface Events {
    /** The next request of a turn fills 60 or 85 percent of the context. Tokens; estimated from what the last request used. */
    context_notice: { readonly chatId: string; readonly turnId: string; readonly used: number; readonly limit: number };
    /**
     * Rounds stand shortened from here on. Tokens of the request before and after, and how many rounds were shortened. Without a turn where
     * somebody asked for it between two of them.
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
