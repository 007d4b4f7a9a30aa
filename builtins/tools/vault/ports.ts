// What the vault needs from the rest of the program.
import type { KernelError, Logger, Services } from 'agent-harness/kernel';
import type { NoteOrigin, VaultAction } from 'agent-harness/builtins/tools/vault';
import type { KeepsText } from 'agent-harness/builtins/turn/why';

/** Read at each use: they change while the server runs. */
export interface VaultSettings {
  readonly autoWrite: 'off' | 'research' | 'aggressive';
  readonly dedupe: boolean;
  readonly writeBudget: number;
  readonly requireLinks: boolean;
  readonly observability: boolean;
}

export interface VaultPorts {
  /** The vault's folder as it was set. */
  readonly path: string;
  /** The product's home folder: its files are nobody's business. */
  readonly home: string;
  /** Where it is kept which notes are ours. */
  readonly ownFolder: string;
  readonly settings: VaultSettings;
  readonly storage: Services['storage'];
  readonly checkpoints: () => Services['checkpoints'] | undefined;
  readonly models: Services['models'];
  readonly log: Logger;
  readonly notWritten: (path: string, why: string, cause?: unknown) => KernelError;
  /** Whether the turn read text from outside before it called a tool of ours. */
  readonly isTainted: (turnId: string) => boolean;
  /** A call wrote that into a note; whoever tells where words came from is told. */
  readonly kept: (note: Omit<KeepsText, 'keeper'>) => void;
  readonly countWrite: (turnId: string) => void;
  readonly note: (action: VaultAction, origin: NoteOrigin, path?: string) => void;
  /** What was done since the start, in a line; `undefined` where nobody wants to know. */
  readonly counters: () => string | undefined;
}
