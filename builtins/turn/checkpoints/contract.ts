// Checkpoints: what tools change in files and in the state of plugins can be taken back, turn by turn.
import type { ToolContext } from 'agent-harness/plugins/tools';

export type CheckpointContext = Pick<ToolContext, 'chatId' | 'turnId' | 'callId'>;

export interface UndoReply {
  /** False where nothing of the last turn can be undone; nothing was changed then. */
  readonly ok: boolean;
  readonly turnId: string;
  /** Files: relative to the workspace, absolute outside of it. */
  readonly restored: string[];
  /** Files that somebody else changed since in the same places, so left alone. */
  readonly conflicts: string[];
  /** What else is as it was before, as people call it: `note fact:port`, `setting AGENT_MODEL`. */
  readonly restoredState: string[];
  /** What else somebody changed since in the same places, so left alone. */
  readonly stateConflicts: string[];
  /** Of what was restored: where later changes by others were kept, in both lists by the same name. */
  readonly merged: string[];
  /** What the turn did that nothing here can take back: it acted outside. */
  readonly notUndone: OutsideEffect[];
  /** Where `ok` is false: the newest turn before it that can be undone. */
  readonly previous?: UndoOffer;
}

/** What an undo restored. */
export type RestoredState = Omit<UndoReply, 'ok' | 'previous'>;

/** A turn that an undo could name. */
export interface UndoOffer {
  readonly turnId: string;
  /** What it changed, as people call it: files and other state. */
  readonly files: string[];
}

/** Something that a turn did outside of what is kept here. */
export interface OutsideEffect {
  readonly callId: string;
  /** The name of the tool. */
  readonly tool: string;
  /** What it was about, in a line: the command, the address; empty where nobody says. */
  readonly what: string;
  /** What the tool touches, as it declares that; empty where it is not known. */
  readonly effects: string[];
}

/** What is undone or read for a chat. */
export interface UndoPlace {
  readonly chatId: string;
  /** Absolute. */
  readonly workspaceRoot: string;
}

/**
 * Contribution point `undoable`: state that a plugin keeps by its own means, and that an undo can put back. Values are texts (JSON where there is
 * more to say), of at most 8 MB; `null`: there is none. The functions may answer promises.
 */
export interface Undoable {
  /** snake_case, unique. It stands in the records, so it stays the same over versions. */
  readonly name: string;
  /** What people call one of them, before its key: `note`. */
  readonly title: string;
  /** What stands under a key now. Contract: the same state is the same text. */
  read?(key: string, place: UndoPlace): string | null | Promise<string | null>;
  /** Puts `to` where `from` stands still, on the disk when it resolves. `false`: something else stands there by now, and nothing was done. Whole or not at all. */
  restore?(key: string, change: { readonly from: string | null; readonly to: string | null }, place: UndoPlace): boolean | Promise<boolean>;
  /**
   * What is to stand there without what led from `before` to `after`, so that what others changed since stays; `undefined` where that cannot be told
   * apart. Left out: fields of JSON objects and lines of texts, each by itself.
   */
  merge?(
    key: string,
    versions: { readonly before: string | null; readonly after: string | null; readonly now: string | null },
  ): string | null | undefined | Promise<string | null | undefined>;
  /**
   * Names of fields of its JSON that say when, how often or by whom it was changed, and not what it is: a change of them alone is none, and where others
   * changed it since they stay as they are.
   */
  readonly volatile?: readonly string[];
  /**
   * All keys that calls of the plugin's own tools may change. With it each of these calls whose tool does more than read is watched, and nobody has to call
   * {@link Checkpoints.changing}.
   */
  keys?(place: UndoPlace): readonly string[] | Promise<readonly string[]>;
  /** Files in the plugin's `dataDir` instead of all the functions above: relative paths of files, read and put back by the server, and watched as with `keys`. */
  readonly files?: readonly string[];
  /** These keys, or files, were put back: read them again. Also after a crash. */
  restored?(keys: readonly string[], place: UndoPlace): void | Promise<void>;
  /** How people call what stands under a key, in place of the title and the key. */
  label?(key: string): string;
}

/** Who changes state: the call that runs, or what a turn leads to behind it. */
export type StateContext = Pick<ToolContext, 'chatId'> & Partial<Pick<ToolContext, 'turnId' | 'callId'>>;

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
  /** Where there is such a change: whether an undo can keep it and take back the rest. */
  readonly canMerge?: boolean;
  readonly binary: boolean;
  /** The turn that changed it last, and when (ISO 8601). */
  readonly turnId: string;
  readonly at: string;
}

/** State that a turn changed, beside files. */
export interface ChangedState extends Pick<ChangedFile, 'undone' | 'conflict' | 'canMerge' | 'turnId' | 'at'> {
  /** Names it in `paths` of an undo. */
  readonly id: string;
  /** The {@link Undoable}. */
  readonly kind: string;
  /** As people call it: `note fact:port`. */
  readonly label: string;
  readonly change: 'added' | 'edited' | 'deleted';
}

export interface ChangesReply {
  /** Changed last first, 200 at most. */
  readonly files: ChangedFile[];
  /** Changed last first, 200 at most; none where one file was asked for. */
  readonly state: ChangedState[];
  /** What acted outside, so that no undo takes it back; of the turn that was asked for alone. */
  readonly outside: OutsideEffect[];
  /** How many were left out. */
  readonly more: number;
  /** Unified; of the file that was asked for, where it is text. */
  readonly diff?: string;
  /** Of that diff: what names each of its hunks that can be taken back by itself, in their order. None, where the file can only be taken back as a whole. */
  readonly hunks?: string[];
}

export interface UndoOptions {
  /** Whoever calls says in the chat what came of it, so no line about it is needed there. */
  readonly isSaid?: true;
}

export interface Checkpoints {
  /**
   * Saves what is at `path` and that `next` is about to be there (`null`: it is about to be deleted). When it resolves,
   * that is on the disk; when it rejects, the change must not happen.
   * @param previous what was there, where that is not (any more) what is on the disk: an editor had not saved it, or it is written already; `null`: nothing
   */
  before(context: CheckpointContext, path: string, next: Uint8Array | null, previous?: Uint8Array | null): Promise<void>;
  /** The same for files that change together: all of it is on the disk when it resolves. `previous: null`: what is there is no file, and goes first. */
  beforeAll(
    context: CheckpointContext,
    changes: readonly { readonly path: string; readonly next: Uint8Array | null; readonly previous?: null }[],
  ): Promise<void>;
  /**
   * Whatever its tool declares, the call acts nowhere outside: it ran where it could reach nothing, and all that comes of it here is announced like every
   * change. Said before anything of it is made; an undo does not name the call then.
   */
  contained(context: CheckpointContext): Promise<void>;
  /** The difference of two contents as everywhere; `undefined` where there is nothing sensible to compare: binary or huge. @param path as it is shown; `null`: no file */
  compare(
    path: string,
    before: Uint8Array | null,
    after: Uint8Array | null,
  ): Promise<{ readonly added: number; readonly removed: number; /** Unified, bounded. */ readonly diff: string } | undefined>;
  /** The change that was announced last for the path did not happen. */
  cancel(context: CheckpointContext, path: string): Promise<void>;
  /**
   * Does work that changes state: what is under these keys before is on the disk when the work begins, so that it can be taken back with the turn. Work
   * that comes from no turn (a person's own) is only done. Rejects as the work does, and where what is there cannot be kept; then nothing was done.
   * @param name of the {@link Undoable}; where nobody contributes it the work is only done
   * @param context without a turn: of the turn that runs in the chat, where one does
   */
  changing<T>(context: StateContext, name: string, keys: readonly string[], work: () => Promise<T>): Promise<T>;
  /**
   * Undoes what a turn changed. Left out, it is the last turn in which a model or a tool worked and that was not undone yet, whether or not it changed
   * anything. It is one step: it is done whole, after a crash by the next start, or not at all. Rejects with `turn_in_progress`, `not_found`,
   * `already_resolved`.
   * @param paths only these files or states, as {@link ChangesReply} says them; without a turn in every turn that changed them, down to what was there before the first
   */
  undo(chatId: string, turnId?: string, paths?: readonly string[], options?: UndoOptions): Promise<UndoReply>;
  /**
   * Takes back some hunks of one file, as {@link ChangesReply} named them for the same chat or turn. Rejects with `changed_since` and changes nothing
   * where the file is not what was shown then, with `turn_in_progress` and `not_found`.
   */
  undoHunks(chatId: string, which: { readonly turnId?: string; readonly path: string }, hunks: readonly string[]): Promise<UndoReply>;
  /** Takes back the last undo that stands; what others changed since stays, as with an undo. Rejects with `turn_in_progress`, `not_found`. */
  redo(chatId: string, options?: UndoOptions): Promise<UndoReply>;
  /** What tools changed in a chat, or in one of its turns; with a `path` only that file, with its diff. Reads the disk, so it holds across restarts. */
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
    /** `isRedo`: an undo was taken back. */
    checkpoint_restored: { readonly chatId: string; readonly isRedo?: true } & UndoOptions & RestoredState;
  }
}
