// Defines the contract of notes sync: synchronising notes between this machine and a control plane.
import type { NoteSet } from 'agent-harness/builtins/tools/memory';

/** The remote copies: the user's own sets, or those of their organisation. */
export interface SyncTarget {
  readonly name: 'cloud' | 'team';
  /** Path at the control plane, such as `/api/pro/cloud_sync/notes`. */
  readonly path: string;
  /** Whether other users write to this target, which makes their notes external content. */
  readonly isShared: boolean;
}

/** One local set of notes, and its name on the control plane. */
export interface SyncPlace {
  /** Fingerprint of the workspace, or `global`. */
  readonly workspace: string;
  readonly set: NoteSet;
}

export interface SyncOptions {
  /** Direction of the sync; default: `both`. */
  readonly direction?: 'pull' | 'push' | 'both';
  /**
   * Whether the user requested this sync. A request is agreement to upload this set to this account from now on. Without agreement, nothing is uploaded. The
   * agreement ends when another account uses the set on this machine.
   */
  readonly isAsked?: boolean;
  /** Whether the user enabled automatic sync. This counts as agreement unless another account has used the set on this machine. */
  readonly isWanted?: boolean;
  readonly signal?: AbortSignal;
}

/** The discarded version of a note that was changed on both sides. */
export interface StoredConflict {
  /** Time of the sync that detected the conflict, ISO 8601. */
  readonly at: string;
  /** `type:key`. */
  readonly id: string;
  readonly value: string;
  readonly updatedAt: string;
  /**
   * Side whose version was discarded. `here`: this machine. `there`: the control plane. `restored`: the note was deleted elsewhere long ago, and uploaded again
   * because it had been changed locally.
   */
  readonly side: 'here' | 'there' | 'restored';
}

export interface RefusedNote {
  readonly id: string;
  readonly why: string;
}

/** The locally known state of one set. */
export interface SyncSetState {
  readonly target: SyncTarget['name'];
  readonly workspace: string;
  /** Root folder of the workspace on this machine. */
  readonly workspaceRoot?: string;
  /** Whether the user agreed to upload notes of this set to this account. */
  readonly isAgreed: boolean;
  /** Last revision that was read from the control plane. */
  readonly revision: number;
  /** Number of notes and deletions to be uploaded. */
  readonly pending: number;
  readonly lastSyncAt?: string;
  /** Reason for the last failed sync, as a sentence. */
  readonly problem?: string;
  readonly conflicts: readonly StoredConflict[];
  /** Notes that are never uploaded, such as those with a possible secret. */
  readonly refused: readonly RefusedNote[];
}

export interface SyncReport extends SyncSetState {
  readonly pulled: number;
  readonly pushed: number;
}

/** The notes that the next sync would upload. */
export interface SyncPreview {
  readonly workspace: string;
  /** At most 200 notes, newest last. */
  readonly notes: readonly { readonly id: string; readonly isDeletion: boolean; readonly characters: number }[];
  readonly total: number;
  readonly characters: number;
  readonly refused: readonly RefusedNote[];
  readonly isAgreed: boolean;
}

export interface NotesSync {
  /**
   * Synchronises one set. Does not reject if the control plane is unreachable: `problem` has the reason, and pending changes stay recorded.
   * Rejects with the signal's reason when aborted.
   */
  run(target: SyncTarget, place: SyncPlace, options?: SyncOptions): Promise<SyncReport>;
  /** Returns the notes that the next sync would upload. Sends no request. */
  preview(target: SyncTarget, place: SyncPlace): Promise<SyncPreview>;
  /** Returns the sentence for the approval that lists the sets of a chat to be uploaded for the first time; `undefined` if the user agreed to all of them. */
  firstTime(target: SyncTarget, chatId: string): Promise<string | undefined>;
  /** Returns the sets of the signed-in account. */
  state(): Promise<readonly SyncSetState[]>;
  /** Revokes the agreement: no note of the set is uploaded automatically from now on. */
  stop(target: SyncTarget, place: SyncPlace): Promise<void>;
  /** Returns the sets of a chat: `global` if the target supports it, and its workspace if other machines can identify it. */
  placesOf(target: SyncTarget, chatId: string): Promise<readonly SyncPlace[]>;
  /** Adds a target until its plugin stops. @returns a function that removes the target */
  offer(target: SyncTarget): () => void;
}

declare module 'agent-harness/kernel' {
  interface Services {
    notesSync: NotesSync;
  }
  interface Events {
    /** A sync of a set succeeded or failed. */
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
