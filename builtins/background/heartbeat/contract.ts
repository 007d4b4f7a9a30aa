// Defines the contract of the heartbeat, a short model run after a turn while the chat is idle, and its events.

/** How a nudge is displayed: not at all, as a progress line, or as a message. */
export type BeatSurface = 'off' | 'trace' | 'assistant';

export interface Nudge {
  readonly text: string;
  /** Confidence reported by the model, 0 to 1. */
  readonly confidence: number;
}

declare module 'agent-harness/kernel' {
  interface Events {
    /** A run was scheduled for the next time the chat is idle. `dueAt`: earliest start, ISO 8601. */
    heartbeat_scheduled: { readonly chatId: string; readonly runId: string; readonly dueAt: string };
    /** The model call of a run started. */
    heartbeat_started: { readonly chatId: string; readonly runId: string };
    /** A run ended. `nudge`: the nudge, if it is shown; `failure`: reason why the run has no result. */
    heartbeat_completed: {
      readonly chatId: string;
      readonly runId: string;
      readonly summary: string;
      readonly surface: BeatSurface;
      readonly nudge?: Nudge;
      readonly failure?: string;
    };
    /** A pending run was cancelled, or a turn interrupted the run. */
    heartbeat_skipped: { readonly chatId: string; readonly runId: string; readonly reason: string };
    /** The user muted the heartbeat, changed the nudge threshold of a chat, or answered a nudge. */
    heartbeat_changed: { readonly chatId?: string };
  }
}
