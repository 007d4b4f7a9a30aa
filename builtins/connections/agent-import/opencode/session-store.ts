// Defines the interface of opencode's session stores.
import type { ReadFaults } from '../foreign.ts';
import type { Fields } from '../texts.ts';

/** One of opencode's two session stores. It returns messages oldest first, each with its parts. */
export interface SessionStore {
  sessions(): Promise<readonly Fields[]>;
  messages(sessionId: string, faults: ReadFaults): AsyncIterable<{ readonly message: Fields; readonly parts: readonly Fields[] }>;
  close(): void;
}
