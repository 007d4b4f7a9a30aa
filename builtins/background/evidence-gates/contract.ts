// Evidence gates: what may become a note by itself. They ask no model, so nobody can talk them into anything.
import type { EvidenceClass, Note, NoteEvidence, NotePlace, NoteScope, RememberNote } from 'agent-harness/builtins/tools/memory';

export type { EvidenceClass, NoteEvidence } from 'agent-harness/builtins/tools/memory';

/** Something that was said in a chat, whole, with whose words it is. */
export interface EvidenceEntry {
  readonly chatId: string;
  readonly turnId?: string;
  /** Of the message, the call, or the question. */
  readonly entryId: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly by: 'user' | 'assistant' | 'tool';
  readonly class: EvidenceClass;
  /** For people: `the user`, the name of a tool, a host. */
  readonly from: string;
  /** Of words of the workspace: the file or folder that they come from, from the workspace on; empty where that may be any. */
  readonly source?: string;
  readonly text: string;
}

/** What somebody, such as a model, wants kept. It may be anything: whatever is not of this shape is refused. */
export interface NoteProposal {
  readonly key: string;
  readonly value: string;
  /** `fact` when left out. */
  readonly type?: string;
  /** `workspace` when left out; what rests on words from several workspaces counts everywhere. */
  readonly scope?: NoteScope;
  /** At least one: an entry, and words that stand in it. Without a `chatId`: the chat of the question. */
  readonly evidence: readonly { readonly chatId?: string; readonly entryId: string; readonly quote: string }[];
}

/** Why a proposal is not applied. */
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
  /** `apply`: it may be kept now. `inbox`: a person decides. `refuse`: nothing of it is kept. */
  readonly outcome: 'apply' | 'inbox' | 'refuse';
  /** Left out of what is applied. */
  readonly reason?: GateReason;
  /** A sentence for people. */
  readonly why: string;
  /** `type:key`, as far as the proposal had one. */
  readonly id: string;
  /** What was proposed, cut; for people. */
  readonly value: string;
  /** Where the note belongs, and what is kept of it; left out of what is refused. */
  readonly place?: NotePlace;
  readonly note?: RememberNote & { readonly scope: NoteScope };
  /** The evidence that held. */
  readonly evidence: readonly NoteEvidence[];
  /** How many quotes do not stand where they were said to. */
  readonly forged: number;
}

export interface GateQuestion {
  /** The plugin that proposes. */
  readonly by: string;
  /** Leads back to the proposal: the id of a run. */
  readonly ref: string;
  /** The chats whose words may be evidence; one that is deleted, incognito or forgotten is none. */
  readonly chats: readonly string[];
  /** Whether the proposer was shown these words; all of those chats when left out. */
  readonly wasShown?: (entry: EvidenceEntry, quote: string) => boolean;
  /** Most that are applied; 16 when left out. */
  readonly limit?: number;
}

export interface KeptProposal extends GateVerdict {
  /** Of what was applied, or waits. */
  readonly kept?: Note;
}

export interface EvidenceGates {
  /** What of a chat may be evidence, oldest first: none of an incognito, deleted or forgotten one, nor what a person took out, nor what plugins say by themselves. */
  entries(chatId: string): Promise<readonly EvidenceEntry[]>;
  /** Says of each proposal what may become of it; keeps nothing. Contract: the same chats, notes and proposals, the same answer. */
  judge(proposals: readonly unknown[], question: GateQuestion): Promise<readonly GateVerdict[]>;
  /** {@link EvidenceGates.judge}, and keeps what may be kept. */
  keep(proposals: readonly unknown[], question: GateQuestion): Promise<readonly KeptProposal[]>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    evidenceGates: EvidenceGates;
  }
}
