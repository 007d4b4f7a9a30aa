// Defines the contract of workspace file access for other plugins.
import type { ToolContext } from 'agent-harness/plugins/tools';

/** Reads files that the arguments of a call name: exactly the approved file, or none. */
export interface WorkspaceFiles {
  /**
   * Resolves a path for a tool whose reads need approval. The first resolution in a call applies to all later ones. {@link WorkspaceFiles.read} rejects a
   * forbidden path.
   */
  decide(place: Pick<ToolContext, 'callId' | 'workspaceRoot'>, path: string): void;
  /**
   * Returns the content of a regular file in the workspace that is not a hard link; `undefined` if it exceeds `maxBytes`. Rejects with a
   * message for the model.
   */
  read(place: Pick<ToolContext, 'callId' | 'workspaceRoot'>, path: string, maxBytes: number): Promise<Buffer | undefined>;
}

/** Recognises files that control other programs or agents. */
export interface SteeringFiles {
  /** Returns the reason if writing a file affects more than its content; `undefined` otherwise. @param shown path relative to the workspace, with `/` */
  why(shown: string): string | undefined;
}

/**
 * A program, such as an editor, that holds open files of a chat with possibly unsaved text. The file tools read and write text through it; path resolution and
 * approvals do not depend on it.
 */
export interface TextHolder {
  /** Display name for users and the model, such as `the editor`. */
  readonly name: string;
  readonly reads: boolean;
  readonly writes: boolean;
  /** Aborted when the holder disconnects; approved calls that depend on it then fail. */
  readonly gone: AbortSignal;
  /** Returns whether the file is in one of the open folders. @param path absolute path without links */
  holds(path: string): boolean;
  /** Returns the whole text with unsaved changes. Rejects with a readable message if the text does not arrive, or when the holder disconnects. */
  read(path: string, signal?: AbortSignal): Promise<string>;
  /** Writes the text. Rejects as {@link TextHolder.read} does; the text may have been written nevertheless. */
  write(path: string, text: string, signal?: AbortSignal): Promise<void>;
}

/** Contribution point `text_holder`. */
export interface TextHolders {
  readonly name: string;
  /** Returns the current holder of the chat. Contract: never throws. */
  holderOf(chatId: string): TextHolder | undefined;
}

declare module 'agent-harness/kernel' {
  interface Services {
    steeringFiles: SteeringFiles;
    workspaceFiles: WorkspaceFiles;
  }
  interface ContributionPoints {
    text_holder: TextHolders;
  }
}
