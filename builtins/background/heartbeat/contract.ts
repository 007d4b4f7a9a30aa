// The heartbeat: a short thought of its own after a turn, when it is quiet. What it tells while it runs.

/** Where a nudge shows: nowhere, as a line about what goes on, or as something that is said. */
export type BeatSurface = 'off' | 'trace' | 'assistant';

export interface Nudge {
  readonly text: string;
  /** From 0 to 1, as the model said. */
  readonly confidence: number;
}

declare module 'agent-harness/kernel' {
  interface Events {
    /** A run waits for a quiet moment. `dueAt`: not before, ISO 8601. */
    heartbeat_scheduled: { readonly chatId: string; readonly runId: string; readonly dueAt: string };
    /** Its model call begins. */
    heartbeat_started: { readonly chatId: string; readonly runId: string };
    /** It is over. `nudge`: only where it is shown; `failure`: why there is no result. */
    heartbeat_completed: {
      readonly chatId: string;
      readonly runId: string;
      readonly summary: string;
      readonly surface: BeatSurface;
      readonly nudge?: Nudge;
      readonly failure?: string;
    };
    /** One that was scheduled does not take place, or was ended by a turn. */
    heartbeat_skipped: { readonly chatId: string; readonly runId: string; readonly reason: string };
    /** A person muted it, changed what a chat takes, or answered a nudge. */
    heartbeat_changed: { readonly chatId?: string };
  }
}
