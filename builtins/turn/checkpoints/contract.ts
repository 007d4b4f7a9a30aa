// The contract of checkpoints: undo of the changes that tools made to files and plugin state, by turn.
import type { ToolContext } from 'agent-harness/plugins/tools';

export type CheckpointContext = Pick<ToolContext, 'chatId' | 'turnId' | 'callId'>;

export interface UndoReply {
  /** False if nothing of the last turn can be undone; nothing was changed then. */
  readonly ok: boolean;
  readonly turnId: string;
  /** Files: relative to the workspace, absolute outside of it. */
  readonly restored: string[];
  /** Files left unchanged, because others changed the same lines since. */
  readonly conflicts: string[];
  /** Display names of other restored state: `note fact:port`, `setting AGENT_MODEL`. */
  readonly restoredState: string[];
  /** Other state left unchanged, because others changed the same parts since. */
  readonly stateConflicts: string[];
  /** Restored items of both lists in which later changes by others were kept. */
  readonly merged: string[];
  /** Effects of the turn that cannot be undone. */
  readonly notUndone: OutsideEffect[];
  /** If `ok` is false: the newest earlier turn that can be undone. */
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

/** An effect of a turn that is not tracked. */
export interface OutsideEffect {
  readonly callId: string;
  /** The name of the tool. */
  readonly tool: string;
  /** The subject of the call in one line: the command, the address; empty if unknown. */
  readonly what: string;
  /** Effects that the tool declares; empty if unknown. */
  readonly effects: string[];
}

/** Chat and workspace in which state is read or undone. */
export interface UndoPlace {
  readonly chatId: string;
  /** Absolute. */
  readonly workspaceRoot: string;
}

/**
 * Contribution point `undoable`: plugin state that an undo can restore. Values are texts (JSON for structured state) of at most 8 MB; `null`: missing. The
 * functions may return promises.
 */
export interface Undoable {
  /** snake_case, unique. Stored in records, so keep it the same in all versions. */
  readonly name: string;
  /** Display name of an item, shown before its key: `note`. */
  readonly title: string;
  /** Returns the current state of a key. Contract: equal states have equal texts. */
  read?(key: string, place: UndoPlace): string | null | Promise<string | null>;
  /** Replaces `from` by `to` atomically; resolves when `to` is on the disk. Returns `false`, and changes nothing, if the state is no longer `from`. */
  restore?(key: string, change: { readonly from: string | null; readonly to: string | null }, place: UndoPlace): boolean | Promise<boolean>;
  /**
   * Returns the current state without the change from `before` to `after`, keeping later changes of others; `undefined` on conflict. Default: merges JSON
   * objects by field, and texts by line.
   */
  merge?(
    key: string,
    versions: { readonly before: string | null; readonly after: string | null; readonly now: string | null },
  ): string | null | undefined | Promise<string | null | undefined>;
  /** JSON fields with metadata (time, number or author of changes). A change of only these fields does not count; they keep later changes of others. */
  readonly volatile?: readonly string[];
  /**
   * Returns all keys that calls of the plugin's own tools may change. Then each non-read-only call of these tools is tracked, without a call of {@link
   * Checkpoints.changing}.
   */
  keys?(place: UndoPlace): readonly string[] | Promise<readonly string[]>;
  /** Files in the plugin's `dataDir`, as relative paths, instead of all the functions above: the server reads, restores and tracks them as with `keys`. */
  readonly files?: readonly string[];
  /** Notifies the plugin that these keys or files were restored and must be reloaded. Also called after a crash. */
  restored?(keys: readonly string[], place: UndoPlace): void | Promise<void>;
  /** Returns the display name of a key; replaces title and key. */
  label?(key: string): string;
}

/** The cause of a state change: the running call, or a later consequence of a turn. */
export type StateContext = Pick<ToolContext, 'chatId'> & Partial<Pick<ToolContext, 'turnId' | 'callId'>>;

/** The net change that tools made to a file. */
export interface ChangedFile {
  /** Relative to the workspace, absolute outside of it. */
  readonly path: string;
  /** Path before a move. */
  readonly from?: string;
  readonly kind: 'added' | 'edited' | 'deleted' | 'moved';
  /** Number of lines; `null` if not countable: binary, huge, or not stored. */
  readonly added: number | null;
  readonly removed: number | null;
  /** The change was undone. */
  readonly undone: boolean;
  /** Others changed the file since. An undo keeps their change, and skips the file if both changed the same lines; the diff compares the current content. */
  readonly conflict: boolean;
  /** Set if others changed the file: whether an undo can keep their change and revert the rest. */
  readonly canMerge?: boolean;
  readonly binary: boolean;
  /** The last turn that changed the file, and the time (ISO 8601). */
  readonly turnId: string;
  readonly at: string;
}

/** State other than files that a turn changed. */
export interface ChangedState extends Pick<ChangedFile, 'undone' | 'conflict' | 'canMerge' | 'turnId' | 'at'> {
  /** The name of the state in `paths` of an undo. */
  readonly id: string;
  /** Name of the {@link Undoable}. */
  readonly kind: string;
  /** Display name: `note fact:port`. */
  readonly label: string;
  readonly change: 'added' | 'edited' | 'deleted';
}

export interface ChangesReply {
  /** Most recently changed first, at most 200. */
  readonly files: ChangedFile[];
  /** Most recently changed first, at most 200; empty if one file was requested. */
  readonly state: ChangedState[];
  /** Effects that no undo reverts; only if a turn was requested. */
  readonly outside: OutsideEffect[];
  /** Number of items left out. */
  readonly more: number;
  /** Unified diff of the requested file, if the file is text. */
  readonly diff?: string;
  /** Ids of the diff's hunks that can be undone separately, in order. Empty if the file can only be undone as a whole. */
  readonly hunks?: string[];
}

export interface UndoOptions {
  /** The caller shows the result in the chat, so the undo adds no line to the transcript. */
  readonly isSaid?: true;
}

export interface Checkpoints {
  /**
   * Stores the content of `path`, and the fact that `next` is about to replace it (`null`: a deletion). Resolves when both are on the disk;
   * if it rejects, the change must not happen.
   * @param previous the old content if it differs from the disk (unsaved in an editor, or already overwritten); `null`: missing
   */
  before(context: CheckpointContext, path: string, next: Uint8Array | null, previous?: Uint8Array | null): Promise<void>;
  /**
   * Does the same for files that change together; resolves when all records are on the disk. `previous: null`: the path is not a file, and is removed first.
   */
  beforeAll(
    context: CheckpointContext,
    changes: readonly { readonly path: string; readonly next: Uint8Array | null; readonly previous?: null }[],
  ): Promise<void>;
  /**
   * Declares that the call has no external effects, whatever its tool declares: it ran in a sandbox, and its changes are announced like any
   * other. Called before any change; an undo does not list the call then.
   */
  contained(context: CheckpointContext): Promise<void>;
  /**
   * Compares two contents with the same limits as all diffs here; returns `undefined` if they are binary or huge. @param path for display; `null`: missing file
   */
  compare(
    path: string,
    before: Uint8Array | null,
    after: Uint8Array | null,
  ): Promise<{ readonly added: number; readonly removed: number; /** Unified, size-limited. */ readonly diff: string } | undefined>;
  /** Withdraws the last announced change of the path, which did not happen. */
  cancel(context: CheckpointContext, path: string): Promise<void>;
  /**
   * Runs work that changes state, after the old state of these keys is on the disk, so that the change can be undone with the turn. Outside
   * of a turn (the user's own change) it only runs the work. Rejects like the work, and if the old state cannot be stored; then nothing was done.
   * @param name of the {@link Undoable}; if no plugin contributes it, only the work runs
   * @param context without a turn: the running turn of the chat, if any
   */
  changing<T>(context: StateContext, name: string, keys: readonly string[], work: () => Promise<T>): Promise<T>;
  /**
   * Undoes the changes of a turn. Default: the last turn with a model or a tool that was not undone yet, whether or not it changed
   * anything. Atomic: done completely (after a crash by the next start) or not at all. Rejects with `turn_in_progress`, `not_found`,
   * `already_resolved`.
   * @param paths the only files or states to undo, named as in {@link ChangesReply}; without a turn in every turn that changed them, back to the state before
   * the
   * first
   */
  undo(chatId: string, turnId?: string, paths?: readonly string[], options?: UndoOptions): Promise<UndoReply>;
  /**
   * Undoes some hunks of one file, identified as in {@link ChangesReply} for the same chat or turn. Rejects with `changed_since` and changes nothing
   * if the file differs from the one shown, with `turn_in_progress` and `not_found`.
   */
  undoHunks(chatId: string, which: { readonly turnId?: string; readonly path: string }, hunks: readonly string[]): Promise<UndoReply>;
  /** Redoes the last effective undo; keeps later changes of others, like an undo. Rejects with `turn_in_progress`, `not_found`. */
  redo(chatId: string, options?: UndoOptions): Promise<UndoReply>;
  /**
   * Returns the changes that tools made in a chat, or in one of its turns; with a `path` only that file, with its diff. Reads the disk, so it works across
   * restarts.
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
    /** `isRedo`: an undo was reverted. */
    checkpoint_restored: { readonly chatId: string; readonly isRedo?: true } & UndoOptions & RestoredState;
  }
}
