// Defines the contract of the evidence gates, which decide what may become a note automatically. They use no model, so prompts cannot influence them.
import type { EvidenceClass, Note, NoteEvidence, NotePlace, NoteScope, RememberNote } from 'agent-harness/builtins/tools/memory';

export type { EvidenceClass, NoteEvidence } from 'agent-harness/builtins/tools/memory';

/** Something that was said in a chat, in full, with its author. */
export interface EvidenceEntry {
  readonly chatId: string;
  readonly turnId?: string;
  /** Id of the message, the call, or the question. */
  readonly entryId: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly by: 'user' | 'assistant' | 'tool';
  readonly class: EvidenceClass;
  /** For users: `the user`, the name of a tool, a host. */
  readonly from: string;
  /** For content of the workspace: the file or folder it comes from, relative to the workspace; empty if that may be any. */
  readonly source?: string;
  readonly text: string;
}

/** What a proposer, such as a model, wants stored. It may be anything: whatever does not have this shape is refused. */
export interface NoteProposal {
  readonly key: string;
  readonly value: string;
  /** `fact` when left out. */
  readonly type?: string;
  /** `workspace` when left out; what is based on words from several workspaces applies everywhere. */
  readonly scope?: NoteScope;
  /** At least one: an entry, and words that occur in it. Without a `chatId`: the chat of the question. */
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
  /** `apply`: it may be stored now. `inbox`: the user decides. `refuse`: nothing of it is stored. */
  readonly outcome: 'apply' | 'inbox' | 'refuse';
  /** Left out if it is applied. */
  readonly reason?: GateReason;
  /** A sentence for users. */
  readonly why: string;
  /** `type:key`, as far as the proposal had one. */
  readonly id: string;
  /** What was proposed, cut; for users. */
  readonly value: string;
  /** The scope of the note, and its stored form; left out if it is refused. */
  readonly place?: NotePlace;
  readonly note?: RememberNote & { readonly scope: NoteScope };
  /** The evidence that was valid. */
  readonly evidence: readonly NoteEvidence[];
  /** Number of quotes that do not occur where claimed. */
  readonly forged: number;
}

export interface GateQuestion {
  /** The plugin that proposes. */
  readonly by: string;
  /** Refers to the source of the proposal: the id of a run. */
  readonly ref: string;
  /** The chats whose words may be evidence; deleted, incognito and forgotten ones are ignored. */
  readonly chats: readonly string[];
  /** Whether the proposer was shown these words; everything of those chats when left out. */
  readonly wasShown?: (entry: EvidenceEntry, quote: string) => boolean;
  /** Maximum number that are applied; 16 when left out. */
  readonly limit?: number;
}

export interface KeptProposal extends GateVerdict {
  /** The note that was applied, or waits. */
  readonly kept?: Note;
}

export interface EvidenceGates {
  /**
   * What of a chat may be evidence, oldest first: nothing of an incognito, deleted or forgotten one, nor removed entries, nor what plugins say by themselves.
   */
  entries(chatId: string): Promise<readonly EvidenceEntry[]>;
  /** Decides about each proposal; stores nothing. Contract: the same chats, notes and proposals give the same result. */
  judge(proposals: readonly unknown[], question: GateQuestion): Promise<readonly GateVerdict[]>;
  /** {@link EvidenceGates.judge}, and stores what may be stored. */
  keep(proposals: readonly unknown[], question: GateQuestion): Promise<readonly KeptProposal[]>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    evidenceGates: EvidenceGates;
  }
}
