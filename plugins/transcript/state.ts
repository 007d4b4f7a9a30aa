// Declares the types of the state of a chat, which is computed from its events. Plain data that is replaced, never mutated.
import type { Static } from 'typebox';
import type { announcementSchema, assistantSchema, noteSchema, runningSchema, toolSchema, userSchema } from './entry-schemas.ts';
import type { Frozen } from '#lib/values';

export type Entry = UserEntry | AssistantEntry | ToolEntry | NoteEntry | AnnouncementEntry;
export type UserEntry = Frozen<Static<typeof userSchema>>;
export type AssistantEntry = Frozen<Static<typeof assistantSchema>>;
export type ToolEntry = Frozen<Static<typeof toolSchema>>;
/** A line that is neither a message nor a call: the end of a turn, an error, a reset, a plugin's note, a local line of the client. */
export type NoteEntry = Frozen<Static<typeof noteSchema>>;
/** A message that a plugin wrote outside a turn: neither the user's words nor an answer. */
export type AnnouncementEntry = Frozen<Static<typeof announcementSchema>>;
/** The plugin that wrote the message, with its reason. */
export type Origin = AnnouncementEntry['origin'];
export type ToolState = ToolEntry['state'];
export type Approval = NonNullable<ToolEntry['approval']>;
export type Question = NonNullable<ToolEntry['question']>;
export type Decision = NonNullable<ToolEntry['decision']>;
/** The subject of an approval before a tool runs. */
export type Preview = NonNullable<Approval['preview']>;
/** The preview of a call: the changes that it made in a copy of the workspace. */
export type Rehearsal = NonNullable<Approval['rehearsal']>;
/** A nested turn, displayed on the card of its call. */
export type Task = NonNullable<ToolEntry['task']>;
export type TaskCall = Task['calls'][number];
/** A file of a message, or an image that a tool displayed. */
export type ShownFile = UserEntry['attachments'][number];

/** The running turn and its current wait. */
export type RunningTurn = Frozen<Static<typeof runningSchema>>;
export type WaitingFor = RunningTurn['waitingFor'];

export interface TurnUsage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** Cost in USD. */
  readonly cost?: number;
}

/** The state of one chat after the last applied event. */
export interface Transcript {
  /** Entries in display order, queued messages last. */
  readonly entries: readonly Entry[];
  readonly running?: RunningTurn;
  /** Pending approvals, oldest first. */
  readonly approvals: readonly Approval[];
  readonly questions: readonly Question[];
  /** Sum of the usage in the applied events. */
  readonly usage: TurnUsage;
}

export const emptyTranscript: Transcript = { entries: [], approvals: [], questions: [], usage: { input: 0, output: 0, cached: 0 } };
