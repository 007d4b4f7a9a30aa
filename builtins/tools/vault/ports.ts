// Defines the settings and dependencies of the vault.
import type { KernelError, Logger, Services } from 'agent-harness/kernel';
import type { NoteOrigin, VaultAction } from 'agent-harness/builtins/tools/vault';
import type { KeepsText } from 'agent-harness/builtins/turn/why';

/** Live values of the settings. */
export interface VaultSettings {
  readonly autoWrite: 'off' | 'research' | 'aggressive';
  readonly dedupe: boolean;
  readonly writeBudget: number;
  readonly requireLinks: boolean;
  readonly observability: boolean;
}

export interface VaultPorts {
  /** Path of the configured vault folder. */
  readonly path: string;
  /** Path of the product's home folder, whose files must not be accessed. */
  readonly home: string;
  /** Path of the folder with the record of the program's own notes. */
  readonly ownFolder: string;
  readonly settings: VaultSettings;
  readonly storage: Services['storage'];
  readonly checkpoints: () => Services['checkpoints'] | undefined;
  readonly models: Services['models'];
  readonly log: Logger;
  readonly notWritten: (path: string, why: string, cause?: unknown) => KernelError;
  /** Returns whether the turn read external content before it called a vault tool. */
  readonly isTainted: (turnId: string) => boolean;
  /** Reports text that a call wrote to a note, so that the sources of the text are recorded. */
  readonly kept: (note: Omit<KeepsText, 'keeper'>) => void;
  readonly countWrite: (turnId: string) => void;
  readonly note: (action: VaultAction, origin: NoteOrigin, path?: string) => void;
  /** Returns one line with the number of actions since the server started; `undefined` if disabled. */
  readonly counters: () => string | undefined;
}
