// Defines the contract of checkpoints: undo of the changes that tools made to files and plugin state, by turn.
import type { ToolContext } from 'agent-harness/plugins/tools';

export type CheckpointContext = Pick<ToolContext, 'chatId' | 'turnId' | 'callId'>;

export interface UndoReply {
  /** False if the last turn has no changes that can be undone; nothing was changed in that case. */
  readonly ok: boolean;
  readonly turnId: string;
  /** Paths of restored files: relative to the workspace, or absolute outside it. */
  readonly restored: string[];
  /** Paths of files that were left unchanged because others later changed the same lines. */
  readonly conflicts: string[];
  /** Display names of other restored state: `note fact:port`, `setting AGENT_MODEL`. */
  readonly restoredState: string[];
  /** Display names of other state that was left unchanged because others later changed the same parts. */
  readonly stateConflicts: string[];
  /** Items of `restored` and `restoredState` in which later changes by others were kept. */
  readonly merged: string[];
  /** Effects of the turn that cannot be undone. */
  readonly notUndone: OutsideEffect[];
  /** The newest earlier turn that can be undone; only if `ok` is false. */
  readonly previous?: UndoOffer;
}

/** The result of an undo, without its status. */
export type RestoredState = Omit<UndoReply, 'ok' | 'previous'>;

/** A turn that can be undone. */
export interface UndoOffer {
  readonly turnId: string;
  /** Display names of the changed files and other state. */
  readonly files: string[];
}

/** An effect of a turn that is not tracked and cannot be undone. */
export interface OutsideEffect {
  readonly callId: string;
  /** Name of the tool. */
  readonly tool: string;
  /** Subject of the call in one line, such as the command or the address; empty if unknown. */
  readonly what: string;
  /** Effects that the tool declares; empty if unknown. */
  readonly effects: string[];
}

/** The chat and the workspace in which state is read or restored. */
export interface UndoPlace {
  readonly chatId: string;
  /** Absolute path. */
  readonly workspaceRoot: string;
}

/**
 * Contribution point `undoable`: plugin state that an undo can restore. Values are texts (JSON for structured state) of at most 8 MB, or `null` if there is no
 * value. The functions may return promises.
 */
export interface Undoable {
  /** Unique name in snake_case. It is stored in records, so it must not change between versions. */
  readonly name: string;
  /** Display name of an item, shown before its key, such as `note`. */
  readonly title: string;
  /** Returns the current state of a key. Contract: equal states have equal texts. */
  read?(key: string, place: UndoPlace): string | null | Promise<string | null>;
  /** Atomically replaces `from` with `to`. Resolves when `to` is on disk; returns `false` and changes nothing if the state is no longer `from`. */
  restore?(key: string, change: { readonly from: string | null; readonly to: string | null }, place: UndoPlace): boolean | Promise<boolean>;
  /**
   * Returns the current state without the change from `before` to `after`, but with later changes by others; `undefined` if they conflict. Default: merges JSON
   * objects by field, and texts by line.
   */
  merge?(
    key: string,
    versions: { readonly before: string | null; readonly after: string | null; readonly now: string | null },
  ): string | null | undefined | Promise<string | null | undefined>;
  /**
   * JSON fields with metadata (time, number or author of changes). A change of only these fields is ignored; an undo leaves later changes of these fields in
   * place.
   */
  readonly volatile?: readonly string[];
  /**
   * Returns all keys that calls of the plugin's own tools may change. If it is defined, each call of these tools that is not read-only is tracked, and {@link
   * Checkpoints.changing} need not be called.
   */
  keys?(place: UndoPlace): readonly string[] | Promise<readonly string[]>;
  /**
   * Files in the plugin's `dataDir`, as relative paths. They replace all the functions above: the server reads and restores the files, and tracks them as with
   * `keys`.
   */
  readonly files?: readonly string[];
  /** Called after these keys or files were restored, including after a crash, so that the plugin can reload them. */
  restored?(keys: readonly string[], place: UndoPlace): void | Promise<void>;
  /** Returns the display name of a key, which replaces the title and the key. */
  label?(key: string): string;
}

/** The cause of a state change: the running call, or a later consequence of a turn. */
export type StateContext = Pick<ToolContext, 'chatId'> & Partial<Pick<ToolContext, 'turnId' | 'callId'>>;

/** The net change that tools made to a file. */
export interface ChangedFile {
  /** Path relative to the workspace, or absolute outside it. */
  readonly path: string;
  /** Path before a move. */
  readonly from?: string;
  readonly kind: 'added' | 'edited' | 'deleted' | 'moved';
  /** Number of lines; `null` if they cannot be counted because the file is binary, too large, or not stored. */
  readonly added: number | null;
  readonly removed: number | null;
  /** Whether the change has been undone. */
  readonly undone: boolean;
  /**
   * Whether others later changed the file. An undo keeps their change, and skips the file if both changed the same lines; the diff is made against the current
   * content.
   */
  readonly conflict: boolean;
  /** Set if others changed the file: whether an undo can keep their change and revert the rest. */
  readonly canMerge?: boolean;
  readonly binary: boolean;
  /** The last turn that changed the file; `at` is its time, ISO 8601. */
  readonly turnId: string;
  readonly at: string;
}

/** State other than files that a turn changed. */
export interface ChangedState extends Pick<ChangedFile, 'undone' | 'conflict' | 'canMerge' | 'turnId' | 'at'> {
  /** Id of the state for the `paths` of an undo. */
  readonly id: string;
  /** Name of the {@link Undoable}. */
  readonly kind: string;
  /** Display name, such as `note fact:port`. */
  readonly label: string;
  readonly change: 'added' | 'edited' | 'deleted';
}

export interface ChangesReply {
  /** Changed files, most recently changed first, at most 200. */
  readonly files: ChangedFile[];
  /** Changed state, most recently changed first, at most 200; empty if one file was requested. */
  readonly state: ChangedState[];
  /** Effects that cannot be undone; only if a turn was requested. */
  readonly outside: OutsideEffect[];
  /** Number of items that are not listed. */
  readonly more: number;
  /** Unified diff of the requested file, if the file is text. */
  readonly diff?: string;
  /** Ids of the hunks of `diff` that can be undone separately, in order; empty if the file can only be undone as a whole. */
  readonly hunks?: string[];
}

export interface UndoOptions {
  /** Set if the caller shows the result in the chat; the undo then adds no line to the transcript. */
  readonly isSaid?: true;
}

export interface Checkpoints {
  /**
   * Stores the content of `path` and the fact that `next` is about to replace it (`null`: a deletion). Resolves when both are on disk; if it rejects, the
   * change must not be made.
   * @param previous the old content if it differs from the disk (unsaved in an editor, or already overwritten); `null` if there was none
   */
  before(context: CheckpointContext, path: string, next: Uint8Array | null, previous?: Uint8Array | null): Promise<void>;
  /**
   * Does the same as {@link Checkpoints.before} for files that change together. Resolves when all records are on disk. `previous: null`: the path is not a file
   * and is removed first.
   */
  beforeAll(
    context: CheckpointContext,
    changes: readonly { readonly path: string; readonly next: Uint8Array | null; readonly previous?: null }[],
  ): Promise<void>;
  /**
   * Declares that the call has no external effects, whatever its tool declares, because it ran in a sandbox and its changes are announced like all others. An
   * undo then does not list the call. Call it when the changes are announced, or after a command whose changes are compared.
   */
  contained(context: CheckpointContext): Promise<void>;
  /**
   * Compares two contents within the limits that apply to all diffs of checkpoints; returns `undefined` if they are binary or too large. @param path display
   * path
   */
  compare(
    path: string,
    before: Uint8Array | null,
    after: Uint8Array | null,
  ): Promise<{ readonly added: number; readonly removed: number; /** Unified diff, limited in size. */ readonly diff: string } | undefined>;
  /** Withdraws the last announced change of the path, because the change was not made. */
  cancel(context: CheckpointContext, path: string): Promise<void>;
  /**
   * Runs work that changes state, after the old state of these keys is on disk, so that the change can be undone with the turn. Outside a turn (a change by the
   * user), it only runs the work. Rejects with the error of the work, or if the old state cannot be stored; in that case, the work is not run.
   * @param name name of the {@link Undoable}; if no plugin contributes it, only the work runs
   * @param context cause of the change; without a turn, the running turn of the chat, if any
   */
  changing<T>(context: StateContext, name: string, keys: readonly string[], work: () => Promise<T>): Promise<T>;
  /**
   * Undoes the changes of a turn. Default: the last turn with a model request or a tool call that has not been undone yet, whether or not it changed anything.
   * Atomic: it is either completed (after a crash, by the next start) or not done at all. Rejects with `turn_in_progress`, `not_found`, `already_resolved`.
   * @param paths the only files or states to undo, named as in {@link ChangesReply}; if no turn is given, in all turns that changed them, back to the state
   * before the first of these turns
   */
  undo(chatId: string, turnId?: string, paths?: readonly string[], options?: UndoOptions): Promise<UndoReply>;
  /**
   * Undoes some hunks of one file, identified as in {@link ChangesReply} for the same chat or turn. Rejects with `changed_since` and changes nothing if the
   * file differs from the one shown. Also rejects with `turn_in_progress` and `not_found`.
   */
  undoHunks(chatId: string, which: { readonly turnId?: string; readonly path: string }, hunks: readonly string[]): Promise<UndoReply>;
  /** Redoes the last effective undo. Keeps later changes by others, as an undo does. Rejects with `turn_in_progress` and `not_found`. */
  redo(chatId: string, options?: UndoOptions): Promise<UndoReply>;
  /**
   * Returns the changes that tools made in a chat or in one of its turns; with a `path`, only that file, with its diff. Reads from disk, so it also works after
   * a restart.
   */
  changes(chatId: string, which?: { readonly turnId?: string; readonly path?: string }): Promise<ChangesReply>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    checkpoints: Checkpoints;
  }
  interface ContributionPoints {
    undoable: Undoable;
  }
  interface Events {
    /** Emitted after an undo or redo. `isRedo`: an undo was reverted. */
    checkpoint_restored: { readonly chatId: string; readonly isRedo?: true } & UndoOptions & RestoredState;
  }
}
