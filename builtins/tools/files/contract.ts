// What other plugins ask about files of a workspace.

/** Files that other programs obey without being asked, or that steer agents. */
export interface SteeringFiles {
  /** Why writing a file decides about more than its content. @param shown relative to the workspace, with `/` */
  why(shown: string): string | undefined;
}

declare module 'agent-harness/kernel' {
  interface Services {
    steeringFiles: SteeringFiles;
  }
}
