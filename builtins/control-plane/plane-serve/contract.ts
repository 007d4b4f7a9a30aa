// Where the control plane is reached.

export interface PlaneSite {
  /** Without a trailing slash; read it at each use. */
  url(): string;
}

declare module 'agent-harness/kernel' {
  interface Services {
    planeSite: PlaneSite;
  }
}
