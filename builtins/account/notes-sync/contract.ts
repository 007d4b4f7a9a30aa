// Copies of the notes here and on a control plane that are kept alike: what others start, and what a person sees of it.
import type { NoteSet } from 'agent-harness/builtins/tools/memory';

/** Where copies are kept: the person's own sets, or those of their organisation. */
export interface SyncTarget {
  readonly name: 'cloud' | 'team';
  /** Of the control plane: `/api/pro/cloud_sync/notes`. */
  readonly path: string;
  /** Others write there, too: what they wrote is text from outside here. */
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
   * A person wanted this very sync: from now on notes of this set leave for this account. Without it nothing leaves before somebody
   * said so once, and not again after another account used the set on this machine.
   */
  readonly isAsked?: boolean;
  /** A person switched on that this happens by itself: enough where no other account ever used the set on this machine. */
  readonly isWanted?: boolean;
  readonly signal?: AbortSignal;
}

/** Two were changed apart from each other: what does not count any more. */
export interface KeptConflict {
  readonly at: string;
  /** `type:key`. */
  readonly id: string;
  readonly value: string;
  readonly updatedAt: string;
  /** `here`: this machine's lost. `there`: the plane's did. `restored`: it was deleted elsewhere long ago, and was sent again because it was changed here. */
  readonly side: 'here' | 'there' | 'restored';
}

export interface RefusedNote {
  readonly id: string;
  readonly why: string;
}

/** What is known of one set without asking the plane. */
export interface SyncSetState {
  readonly target: SyncTarget['name'];
  readonly workspace: string;
  /** Of the workspace here. */
  readonly workspaceRoot?: string;
  /** Notes of it leave this machine for this account. */
  readonly isAgreed: boolean;
  /** Of the plane, as far as it was read. */
  readonly revision: number;
  /** Notes and deletions that are to be sent. */
  readonly pending: number;
  readonly lastSyncAt?: string;
  /** Why the last one did not come through: a sentence. */
  readonly problem?: string;
  readonly conflicts: readonly KeptConflict[];
  /** Notes that stay here, as those in which something looks like a secret. */
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
   * Brings the copies of one set to the same state. Never rejects for what is only out of reach: then `problem` says so, and what is to
   * be sent stays noted. Rejects with the signal's reason when aborted.
   */
  run(target: SyncTarget, place: SyncPlace, options?: SyncOptions): Promise<SyncReport>;
  /** Asks nobody. */
  preview(target: SyncTarget, place: SyncPlace): Promise<SyncPreview>;
  /** What of a chat's sets would leave for the first time, as a sentence for whoever is asked; `undefined` where somebody agreed to all of them before. */
  firstTime(target: SyncTarget, chatId: string): Promise<string | undefined>;
  /** The sets of the account that is signed in. */
  state(): Promise<readonly SyncSetState[]>;
  /** From now on nothing of the set leaves by itself. */
  stop(target: SyncTarget, place: SyncPlace): Promise<void>;
  /** The sets that a chat has: `global`, where the target takes it, and its workspace, where that has a name elsewhere. */
  placesOf(target: SyncTarget, chatId: string): Promise<readonly SyncPlace[]>;
  /** Targets are there as long as their plugin is. @returns takes it back */
  offer(target: SyncTarget): () => void;
}

declare module 'agent-harness/kernel' {
  interface Services {
    notesSync: NotesSync;
  }
  interface Events {
    /** A set was brought to the plane's state, or was not. */
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
