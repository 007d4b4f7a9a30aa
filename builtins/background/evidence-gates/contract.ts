// Defines the contract of the evidence gates, which decide what may become a note automatically. They use no model, so prompts cannot influence them.
import type { EvidenceClass, Note, NoteEvidence, NotePlace, NoteScope, RememberNote } from 'agent-harness/builtins/tools/memory';

export type { EvidenceClass, NoteEvidence } from 'agent-harness/builtins/tools/memory';

/** The full text of an utterance in a chat, with its author. */
export interface EvidenceEntry {
  readonly chatId: string;
  readonly turnId?: string;
  /** Id of the message, the call, or the question. */
  readonly entryId: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly by: 'user' | 'assistant' | 'tool';
  readonly class: EvidenceClass;
  /** Author for display: `the user`, the name of a tool, a host. */
  readonly from: string;
  /** For workspace content: its file or folder, relative to the workspace; empty if unknown. */
  readonly source?: string;
  readonly text: string;
}

/** A proposed note, such as one by a model. Any value is accepted as input; values of another shape are refused. */
export interface NoteProposal {
  readonly key: string;
  readonly value: string;
  /** Default: `fact`. */
  readonly type?: string;
  /** Default: `workspace`; a note based on several workspaces applies to all of them. */
  readonly scope?: NoteScope;
  /** At least one item: an entry, and words that occur in it. Default of `chatId`: the chat of the question. */
  readonly evidence: readonly { readonly chatId?: string; readonly entryId: string; readonly quote: string }[];
}

/** Reason why a proposal is not applied. */
export type GateReason =
  | 'shape'
  | 'form'
  | 'no_evidence'
  | 'not_said'
  | 'unsupported'
  | 'instruction'
  | 'heard'
  | 'inferred'
  | 'unwanted'
  | 'known'
  | 'older'
  | 'contradiction'
  | 'pinned'
  | 'full';

export interface GateVerdict {
  /** `apply`: the note may be stored. `inbox`: the user decides. `refuse`: nothing is stored. */
  readonly outcome: 'apply' | 'inbox' | 'refuse';
  /** Left out for `apply`. */
  readonly reason?: GateReason;
  /** Explanation for users. */
  readonly why: string;
  /** `type:key`, as far as the proposal contains it. */
  readonly id: string;
  /** Proposed text, truncated for display. */
  readonly value: string;
  /** Place and stored form of the note; left out for a refused proposal. */
  readonly place?: NotePlace;
  readonly note?: RememberNote & { readonly scope: NoteScope };
  /** Valid evidence. */
  readonly evidence: readonly NoteEvidence[];
  /** Number of quotes that do not occur in the named entries. */
  readonly forged: number;
}

export interface GateQuestion {
  /** Plugin that proposes the notes. */
  readonly by: string;
  /** Reference to the source, such as the id of a run. */
  readonly ref: string;
  /** Chats that may contain evidence; deleted, incognito and forgotten ones are ignored. */
  readonly chats: readonly string[];
  /** Whether the proposer received these words; default: it received the complete chats. */
  readonly wasShown?: (entry: EvidenceEntry, quote: string) => boolean;
  /** Maximum number of applied proposals; default 16. */
  readonly limit?: number;
}

export interface KeptProposal extends GateVerdict {
  /** The stored note, applied or waiting. */
  readonly kept?: Note;
}

export interface EvidenceGates {
  /** Returns the possible evidence of a chat, oldest first: nothing of an incognito, deleted or forgotten chat, no removed entries, and no plugin messages. */
  entries(chatId: string): Promise<readonly EvidenceEntry[]>;
  /** Decides about each proposal without storing it. Contract: equal chats, notes and proposals yield equal results. */
  judge(proposals: readonly unknown[], question: GateQuestion): Promise<readonly GateVerdict[]>;
  /** Runs {@link EvidenceGates.judge} and stores the accepted notes. */
  keep(proposals: readonly unknown[], question: GateQuestion): Promise<readonly KeptProposal[]>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    evidenceGates: EvidenceGates;
  }
}
