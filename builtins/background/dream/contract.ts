// Defines the contract of dreams: idle-time runs that derive notes from conversations. Each run is stored as a report and can be undone.
import type { GateReason, NoteEvidence } from 'agent-harness/builtins/background/evidence-gates';
import type { NoteEdit, NoteScope } from 'agent-harness/builtins/tools/memory';

/** Gates in evaluation order. The first closed gate is the reason why no run starts. */
export type DreamGate = 'enabled' | 'root' | 'hours' | 'sessions' | 'scan' | 'lock' | 'model';

export type DreamFailure = 'model' | 'bad_reply' | 'unknown_note' | 'interrupted' | 'broken';

/** A change that a run made to a note. */
export interface DreamChange {
  readonly kind: 'kept' | 'changed' | 'waits' | 'deleted';
  /** Note id as proposed, `type:key`. */
  readonly id: string;
  readonly scope: NoteScope;
  /** Reason for the change, as a sentence. */
  readonly why: string;
  readonly edit: NoteEdit;
  /** Outcome of applying or undoing: `changed` if the note was changed by another action in between. */
  readonly outcome?: 'done' | 'changed';
}

export interface DreamRefusal {
  readonly id: string;
  readonly value: string;
  readonly reason: GateReason | 'not_allowed' | 'yours';
  readonly why: string;
  readonly evidence: readonly NoteEvidence[];
}

/** A run, as stored in `dreams/runs/<runId>.json`. */
export interface DreamRun {
  readonly runId: string;
  /** After a crash, startup completes `applying` and `undoing`, and discards `started`. */
  readonly state: 'started' | 'applying' | 'done' | 'failed' | 'undoing' | 'undone';
  readonly asked: 'idle' | 'person';
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly failure?: { readonly reason: DreamFailure; readonly why: string };
  /** Chats that the run read, with the number of characters read. */
  readonly sessions: readonly { readonly chatId: string; readonly title: string; readonly characters: number }[];
  readonly model?: string;
  readonly tokens?: { readonly input: number; readonly output: number };
  /** Summary written by the model; empty if the run read external content. */
  readonly summary: string;
  readonly changes: readonly DreamChange[];
  readonly refused: readonly DreamRefusal[];
  readonly forged: number;
  /** Number of deleted records of chats that the user deleted from memory. */
  readonly forgotten?: number;
  readonly undo?: {
    readonly at: string;
    readonly undone: number;
    readonly left: readonly { readonly id: string; readonly scope: NoteScope; readonly why: string }[];
  };
}

/** Number of changes of a run by kind. */
export interface DreamCounts {
  readonly kept: number;
  readonly waiting: number;
  readonly deleted: number;
  readonly refused: number;
}

declare module 'agent-harness/kernel' {
  interface Events {
    dream_gate: { readonly gate: DreamGate; readonly why: string };
    dream_started: { readonly runId: string; readonly asked: DreamRun['asked']; readonly sessions: number; readonly characters: number };
    dream_completed: { readonly runId: string; readonly summary: string } & DreamCounts;
    dream_failed: { readonly runId: string; readonly reason: DreamFailure; readonly why: string };
    dream_undone: { readonly runId: string; readonly undone: number; readonly left: number };
    /** Dreams were paused automatically after several runs without a result. */
    dream_stopped: { readonly runs: number; readonly why: string };
  }
}
