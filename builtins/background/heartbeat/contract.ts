// Defines the contract of the heartbeat: a short model run after a turn while the chat is idle, and its events.

/** Presentation of a nudge: none, as a progress line, or as a message. */
export type BeatSurface = 'off' | 'trace' | 'assistant';

export interface Nudge {
  readonly text: string;
  /** Confidence reported by the model, 0 to 1. */
  readonly confidence: number;
}

declare module 'agent-harness/kernel' {
  interface Events {
    /** A run waits for an idle moment. `dueAt`: earliest time, ISO 8601. */
    heartbeat_scheduled: { readonly chatId: string; readonly runId: string; readonly dueAt: string };
    /** The model call of a run starts. */
    heartbeat_started: { readonly chatId: string; readonly runId: string };
    /** A run ended. `nudge`: set if the nudge is shown; `failure`: reason of a missing result. */
    heartbeat_completed: {
      readonly chatId: string;
      readonly runId: string;
      readonly summary: string;
      readonly surface: BeatSurface;
      readonly nudge?: Nudge;
      readonly failure?: string;
    };
    /** A scheduled run was cancelled, or a turn ended it. */
    heartbeat_skipped: { readonly chatId: string; readonly runId: string; readonly reason: string };
    /** The user muted the heartbeat, changed a chat's threshold, or answered a nudge. */
    heartbeat_changed: { readonly chatId?: string };
  }
}
