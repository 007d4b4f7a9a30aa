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

declare module 'agent-harness/kernel' {
  interface Services {
    steeringFiles: SteeringFiles;
    workspaceFiles: WorkspaceFiles;
  }
}
