// Checkpoints: what tools change in files can be taken back, turn by turn.
import type { ToolContext } from 'agent-harness/plugins/tools';

export type CheckpointContext = Pick<ToolContext, 'chatId' | 'turnId' | 'callId'>;

export interface UndoReply {
  readonly turnId: string;
  /** Relative to the workspace, absolute outside of it. */
  readonly restored: string[];
  /** Changed since by somebody else in the same places, so left alone. */
  readonly conflicts: string[];
}

/** A file that tools changed, net. */
export interface ChangedFile {
  /** Relative to the workspace, absolute outside of it. */
  readonly path: string;
  /** Where it was before it was moved. */
  readonly from?: string;
  readonly kind: 'added' | 'edited' | 'deleted' | 'moved';
  /** Lines; `null` where they cannot be counted: binary, huge, or not kept. */
  readonly added: number | null;
  readonly removed: number | null;
  /** It was taken back. */
  readonly undone: boolean;
  /** Somebody changed it since: an undo keeps that, and leaves the file alone where both changed the same lines; what is compared is what is there now. */
  readonly conflict: boolean;
  readonly binary: boolean;
  /** The turn that changed it last, and when (ISO 8601). */
  readonly turnId: string;
  readonly at: string;
}

export interface ChangesReply {
  /** Changed last first, 200 at most. */
  readonly files: ChangedFile[];
  /** How many were left out. */
  readonly more: number;
  /** Unified; of the file that was asked for, where it is text. */
  readonly diff?: string;
  /** Of that diff: what names each of its hunks that can be taken back by itself, in their order. None, where the file can only be taken back as a whole. */
  readonly hunks?: string[];
}

export interface Checkpoints {
  /**
   * Saves what is at `path` and that `next` is about to be there (`null`: it is about to be deleted). When it resolves,
   * that is on the disk; when it rejects, the change must not happen.
   * @param previous what was there, where that is not (any more) what is on the disk: an editor had not saved it, or it is written already; `null`: nothing
   */
  before(context: CheckpointContext, path: string, next: Uint8Array | null, previous?: Uint8Array | null): Promise<void>;
  /** The change that was announced last for the path did not happen. */
  cancel(context: CheckpointContext, path: string): Promise<void>;
  /**
   * Takes back what a turn changed; the last one with changes when left out. Rejects with `turn_in_progress`,
   * `not_found`, `already_resolved`.
   * @param paths only these files, as {@link ChangedFile} says them; without a turn in every turn that changed them, down to what was there before the first
   */
  undo(chatId: string, turnId?: string, paths?: readonly string[]): Promise<UndoReply>;
  /**
   * Takes back some hunks of one file, as {@link ChangesReply} named them for the same chat or turn. Rejects with `changed_since` and changes nothing
   * where the file is not what was shown then, with `turn_in_progress` and `not_found`.
   */
  undoHunks(chatId: string, which: { readonly turnId?: string; readonly path: string }, hunks: readonly string[]): Promise<UndoReply>;
  /** What tools changed in a chat, or in one of its turns; with a `path` only that file, with its diff. Reads the disk, so it holds across restarts. */
  changes(chatId: string, which?: { readonly turnId?: string; readonly path?: string }): Promise<ChangesReply>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    checkpoints: Checkpoints;
  }
  interface Events {
    checkpoint_restored: { readonly chatId: string } & UndoReply;
  }
}
