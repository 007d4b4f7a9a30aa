// The event stream: who reads, and how many.

export interface Stream {
  /** Readers connected now. */
  readonly clients: number;
}

declare module 'agent-harness/kernel' {
  interface Services {
    stream: Stream;
  }
}
