// How full the context of a chat is, and that it was compressed, as events.
import type {} from 'agent-harness/kernel';

declare module 'agent-harness/kernel' {
  interface Events {
    /** The next request of a turn fills 60 or 85 percent of the context. Tokens; estimated from what the last request used. */
    context_notice: { readonly chatId: string; readonly turnId: string; readonly used: number; readonly limit: number };
    /** Older rounds stand shortened from here on. Tokens of the request before and after, and how many rounds were taken in. */
    context_compressed: {
      readonly chatId: string;
      readonly turnId: string;
      readonly before: number;
      readonly after: number;
      readonly rounds: number;
    };
  }
}
