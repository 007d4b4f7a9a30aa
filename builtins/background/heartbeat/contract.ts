// Defines the contract of the heartbeat: a short model run after a turn while the chat is idle, and its events.

/** Presentation of a nudge: none, as a progress line, or as a message. */
export type BeatSurface = 'off' | 'trace' | 'assistant';

export interface Nudge {
  readonly text: string;
  /** From 0 to 1, as reported by the model. */
  readonly confidence: number;
}

declare module 'agent-harness/kernel' {
  interface Events {
    /** A run waits for a quiet moment. `dueAt`: the earliest time, ISO 8601. */
    heartbeat_scheduled: { readonly chatId: string; readonly runId: string; readonly dueAt: string };
    /** Its model call begins. */
    heartbeat_started: { readonly chatId: string; readonly runId: string };
    /** It is over. `nudge`: only if it is shown; `failure`: why there is no result. */
    heartbeat_completed: {
      readonly chatId: string;
      readonly runId: string;
      readonly summary: string;
      readonly surface: BeatSurface;
      readonly nudge?: Nudge;
      readonly failure?: string;
    };
    /** A scheduled one does not take place, or was ended by a turn. */
    heartbeat_skipped: { readonly chatId: string; readonly runId: string; readonly reason: string };
    /** The user muted it, changed a chat's threshold, or answered a nudge. */
    heartbeat_changed: { readonly chatId?: string };
  }
}
