// What other plugins ask about files of a workspace.
import type { ToolContext } from 'agent-harness/plugins/tools';

/** Files that the arguments of a call name: what was decided about is what is read, or nothing. */
export interface WorkspaceFiles {
  /**
   * Looks where a path leads, for a tool that asks before it reads: the first look of a call counts for all that follow.
   * A path that nobody may use is left for {@link WorkspaceFiles.read} to refuse.
   */
  decide(place: Pick<ToolContext, 'callId' | 'workspaceRoot'>, path: string): void;
  /**
   * A regular file inside the workspace that is no hard link; `undefined` where it has more bytes. Rejects with words for
   * the model.
   */
  read(place: Pick<ToolContext, 'callId' | 'workspaceRoot'>, path: string, maxBytes: number): Promise<Buffer | undefined>;
}

/** Files that other programs obey without being asked, or that steer agents. */
export interface SteeringFiles {
  /** Why writing a file decides about more than its content. @param shown relative to the workspace, with `/` */
  why(shown: string): string | undefined;
}

/**
 * Who has files of a chat open, with text that may not be on the disk yet: an editor. The file tools read text from it and write text through
 * it; where a path leads, and who is asked about it, is decided as without one.
 */
export interface TextHolder {
  /** For people and the model: `the editor`. */
  readonly name: string;
  readonly reads: boolean;
  readonly writes: boolean;
  /** Aborted when it is gone; what was decided with it is not done without it. */
  readonly gone: AbortSignal;
  /** Whether the file is in a folder that it has open. @param path absolute, without links */
  holds(path: string): boolean;
  /** The whole text, with what was not saved. Rejects with a sentence where it does not come, and when the holder goes. */
  read(path: string, signal?: AbortSignal): Promise<string>;
  /** Rejects like {@link TextHolder.read}; then it may have been written all the same. */
  write(path: string, text: string, signal?: AbortSignal): Promise<void>;
}

/** Contribution point `text_holder`. */
export interface TextHolders {
  readonly name: string;
  /** Who leads the chat now. Contract: never throws. */
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
