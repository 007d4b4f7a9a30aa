// Defines the contract of the evidence gates, which decide whether a proposed note may be stored automatically. No model is involved, so prompts cannot
// influence the decision.
import type { EvidenceClass, Note, NoteEvidence, NotePlace, NoteScope, RememberNote } from 'agent-harness/builtins/tools/memory';

export type { EvidenceClass, NoteEvidence } from 'agent-harness/builtins/tools/memory';

/** The full text of a message, call or answer in a chat, with its author. */
export interface EvidenceEntry {
  readonly chatId: string;
  readonly turnId?: string;
  /** Id of the message, call or question. */
  readonly entryId: string;
  readonly at: string;
  readonly by: 'user' | 'assistant' | 'tool';
  readonly class: EvidenceClass;
  /** Display name of the author: `the user`, the name of a tool, or a host. */
  readonly from: string;
  /** File or folder of the workspace content, relative to the workspace; empty if unknown. */
  readonly source?: string;
  readonly text: string;
}

/** A note proposed by a plugin or a model. Values of another type are refused. */
export interface NoteProposal {
  readonly key: string;
  readonly value: string;
  /** Type of the note; default: `fact`. */
  readonly type?: string;
  /** Scope of the note; default: `workspace`. A note based on several workspaces becomes global. */
  readonly scope?: NoteScope;
  /** At least one entry id with a quote from that entry. `chatId` defaults to the chat of the question. */
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
  /** `apply`: the note may be stored. `inbox`: the user must decide. `refuse`: nothing is stored. */
  readonly outcome: 'apply' | 'inbox' | 'refuse';
  /** Reason for `inbox` or `refuse`; omitted for `apply`. */
  readonly reason?: GateReason;
  /** Explanation for users, as a sentence. */
  readonly why: string;
  /** Note id `type:key`, if the proposal states it. */
  readonly id: string;
  /** Proposed text, truncated for display. */
  readonly value: string;
  /** Workspace and stored form of the note; omitted for a refused proposal. */
  readonly place?: NotePlace;
  readonly note?: RememberNote & { readonly scope: NoteScope };
  /** The valid evidence. */
  readonly evidence: readonly NoteEvidence[];
  /** Number of quotes that do not occur in the named entries. */
  readonly forged: number;
}

export interface GateQuestion {
  /** Name of the plugin that proposes the notes. */
  readonly by: string;
  /** Reference to the source, such as the id of a run. */
  readonly ref: string;
  /** Ids of chats that may contain evidence; deleted, incognito and forgotten chats are ignored. */
  readonly chats: readonly string[];
  /** Returns whether the proposer received these words; by default, it is assumed to have received the complete chats. */
  readonly wasShown?: (entry: EvidenceEntry, quote: string) => boolean;
  /** Maximum number of proposals that are applied; default: 16. */
  readonly limit?: number;
}

export interface KeptProposal extends GateVerdict {
  /** The stored note, applied or in the inbox. */
  readonly kept?: Note;
}

export interface EvidenceGates {
  /** Returns the possible evidence of a chat, oldest first, without removed entries and plugin messages; none for an incognito, deleted or forgotten chat. */
  entries(chatId: string): Promise<readonly EvidenceEntry[]>;
  /** Judges each proposal without storing it. Deterministic: equal chats, notes and proposals yield equal verdicts. */
  judge(proposals: readonly unknown[], question: GateQuestion): Promise<readonly GateVerdict[]>;
  /** Runs {@link EvidenceGates.judge} and stores the accepted notes. */
  keep(proposals: readonly unknown[], question: GateQuestion): Promise<readonly KeptProposal[]>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    evidenceGates: EvidenceGates;
  }
}
