// The event stream: who reads, and how many.

export interface Stream {
  /** Readers connected now. */
  readonly clients: number;
  /** Whether somebody follows the events of that chat now. */
  isRead(chatId: string): boolean;
}

declare module 'agent-harness/kernel' {
  interface Services {
    stream: Stream;
  }
}
