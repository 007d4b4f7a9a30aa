// The contract of workspace file access for other plugins.
import type { ToolContext } from 'agent-harness/plugins/tools';

/** Files named in the arguments of a call: exactly the approved file is read, or nothing. */
export interface WorkspaceFiles {
  /**
   * Resolves a path, for a tool that asks before it reads: the first resolution of a call applies to all later ones.
   * A forbidden path is left for {@link WorkspaceFiles.read} to refuse.
   */
  decide(place: Pick<ToolContext, 'callId' | 'workspaceRoot'>, path: string): void;
  /**
   * Returns a regular file inside the workspace that is no hard link; `undefined` if it exceeds `maxBytes`. Rejects with a message for
   * the model.
   */
  read(place: Pick<ToolContext, 'callId' | 'workspaceRoot'>, path: string, maxBytes: number): Promise<Buffer | undefined>;
}

/** Files that control other programs or agents automatically. */
export interface SteeringFiles {
  /** Returns why writing a file affects more than its content. @param shown relative to the workspace, with `/` */
  why(shown: string): string | undefined;
}

/**
 * An owner of open files of a chat with possibly unsaved text: an editor. The file tools read and write text through
 * it; path resolution and approvals are unaffected.
 */
export interface TextHolder {
  /** For users and the model: `the editor`. */
  readonly name: string;
  readonly reads: boolean;
  readonly writes: boolean;
  /** Aborted when it disconnects; approved calls that depend on it then fail. */
  readonly gone: AbortSignal;
  /** Whether the file is in one of its open folders. @param path absolute, without links */
  holds(path: string): boolean;
  /** Returns the whole text, including unsaved changes. Rejects with a sentence if it is not received, and when the holder disconnects. */
  read(path: string, signal?: AbortSignal): Promise<string>;
  /** Rejects like {@link TextHolder.read}; the text may have been written nevertheless. */
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
