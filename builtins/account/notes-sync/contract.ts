// The contract of notes sync: synchronising notes between this machine and a control plane.
import type { NoteSet } from 'agent-harness/builtins/tools/memory';

/** Location of copies: the user's own sets, or those of their organisation. */
export interface SyncTarget {
  readonly name: 'cloud' | 'team';
  /** Path at the control plane: `/api/pro/cloud_sync/notes`. */
  readonly path: string;
  /** Others write there too: what they wrote is external content here. */
  readonly isShared: boolean;
}

/** One set of notes here, and its name there. */
export interface SyncPlace {
  /** A fingerprint, or `global`. */
  readonly workspace: string;
  readonly set: NoteSet;
}

export interface SyncOptions {
  /** `both` when left out. */
  readonly direction?: 'pull' | 'push' | 'both';
  /**
   * The user requested this sync: from now on notes of this set leave for this account. Without it nothing leaves before the user agreed
   * once, and not again after another account used the set on this machine.
   */
  readonly isAsked?: boolean;
  /** The user enabled automatic sync: sufficient if no other account ever used the set on this machine. */
  readonly isWanted?: boolean;
  readonly signal?: AbortSignal;
}

/** Two versions were changed independently: the one that does not count any more. */
export interface KeptConflict {
  readonly at: string;
  /** `type:key`. */
  readonly id: string;
  readonly value: string;
  readonly updatedAt: string;
  /**
   * `here`: this machine's version lost. `there`: the control plane's did. `restored`: it was deleted elsewhere long ago, and was sent again because it was
   * changed here.
   */
  readonly side: 'here' | 'there' | 'restored';
}

export interface RefusedNote {
  readonly id: string;
  readonly why: string;
}

/** What is known of one set without a request to the control plane. */
export interface SyncSetState {
  readonly target: SyncTarget['name'];
  readonly workspace: string;
  /** Root of the workspace here. */
  readonly workspaceRoot?: string;
  /** Notes of it leave this machine for this account. */
  readonly isAgreed: boolean;
  /** Revision of the control plane, as far as it was read. */
  readonly revision: number;
  /** Number of notes and deletions to be sent. */
  readonly pending: number;
  readonly lastSyncAt?: string;
  /** Why the last sync failed: a sentence. */
  readonly problem?: string;
  readonly conflicts: readonly KeptConflict[];
  /** Notes that stay here, such as those with something that looks like a secret. */
  readonly refused: readonly RefusedNote[];
}

export interface SyncReport extends SyncSetState {
  readonly pulled: number;
  readonly pushed: number;
}

/** What would leave. */
export interface SyncPreview {
  readonly workspace: string;
  /** At most 200, the newest last. */
  readonly notes: readonly { readonly id: string; readonly isDeletion: boolean; readonly characters: number }[];
  readonly total: number;
  readonly characters: number;
  readonly refused: readonly RefusedNote[];
  readonly isAgreed: boolean;
}

export interface NotesSync {
  /**
   * Brings the copies of one set to the same state. Does not reject if the control plane is unreachable: then `problem` says so, and what is to
   * be sent stays recorded. Rejects with the signal's reason when aborted.
   */
  run(target: SyncTarget, place: SyncPlace, options?: SyncOptions): Promise<SyncReport>;
  /** Makes no request. */
  preview(target: SyncTarget, place: SyncPlace): Promise<SyncPreview>;
  /** What of a chat's sets would leave for the first time, as a sentence for the approval; `undefined` if the user agreed to all of them before. */
  firstTime(target: SyncTarget, chatId: string): Promise<string | undefined>;
  /** The sets of the signed-in account. */
  state(): Promise<readonly SyncSetState[]>;
  /** From now on nothing of the set leaves automatically. */
  stop(target: SyncTarget, place: SyncPlace): Promise<void>;
  /** The sets of a chat: `global` if the target takes it, and its workspace if that has a name elsewhere. */
  placesOf(target: SyncTarget, chatId: string): Promise<readonly SyncPlace[]>;
  /** Targets exist as long as their plugin runs. @returns withdraws it */
  offer(target: SyncTarget): () => void;
}

declare module 'agent-harness/kernel' {
  interface Services {
    notesSync: NotesSync;
  }
  interface Events {
    /** A set was brought to the control plane's state, or could not be. */
    notes_synced: {
      readonly target: SyncTarget['name'];
      readonly workspace: string;
      readonly pulled: number;
      readonly pushed: number;
      readonly conflicts: number;
      readonly problem?: string;
    };
  }
}
