// What the events of a chat make of it. Plain data, replaced and never changed.
import type { Static } from 'typebox';
import type { announcementSchema, assistantSchema, noteSchema, runningSchema, toolSchema, userSchema } from './entry-schemas.ts';
import type { Frozen } from 'agent-harness/lib/values';

export type Entry = UserEntry | AssistantEntry | ToolEntry | NoteEntry | AnnouncementEntry;
export type UserEntry = Frozen<Static<typeof userSchema>>;
export type AssistantEntry = Frozen<Static<typeof assistantSchema>>;
export type ToolEntry = Frozen<Static<typeof toolSchema>>;
/** Something that was neither said nor done: how a turn ended, an error, a reset, what a plugin has to say, a line of the client itself. */
export type NoteEntry = Frozen<Static<typeof noteSchema>>;
/** What a plugin said by itself, outside of a turn: neither the user's words nor an answer. */
export type AnnouncementEntry = Frozen<Static<typeof announcementSchema>>;
/** The plugin that speaks by itself, and why. */
export type Origin = AnnouncementEntry['origin'];
export type ToolState = ToolEntry['state'];
export type Approval = NonNullable<ToolEntry['approval']>;
export type Question = NonNullable<ToolEntry['question']>;
export type Decision = NonNullable<ToolEntry['decision']>;
/** What a person judges before a tool runs. */
export type Preview = NonNullable<Approval['preview']>;
/** What it changed in a copy before it may change anything. */
export type Rehearsal = NonNullable<Approval['rehearsal']>;
/** A turn inside the turn, as the card of its call tells of it. */
export type Task = NonNullable<ToolEntry['task']>;
export type TaskCall = Task['calls'][number];
/** A file that came with a message, or a picture that a tool showed. */
export type ShownFile = UserEntry['attachments'][number];

/** The turn that runs, as it waits now. */
export type RunningTurn = Frozen<Static<typeof runningSchema>>;
export type WaitingFor = RunningTurn['waitingFor'];

export interface TurnUsage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** USD. */
  readonly cost?: number;
}

/** One chat, as far as its events were taken. */
export interface Transcript {
  /** In the order in which they are shown: messages that wait stand last. */
  readonly entries: readonly Entry[];
  readonly running?: RunningTurn;
  /** Open ones, oldest first. */
  readonly approvals: readonly Approval[];
  readonly questions: readonly Question[];
  /** Of the events that were taken. */
  readonly usage: TurnUsage;
}

export const emptyTranscript: Transcript = { entries: [], approvals: [], questions: [], usage: { input: 0, output: 0, cached: 0 } };
