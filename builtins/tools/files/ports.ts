// What the file tools need from the rest of the program.
import type { Services } from 'agent-harness/kernel';

export interface FilePorts {
  /** The product's home folder: its files are nobody's business. */
  readonly home: string;
  /** Whether `/api/undo` can take a write back. */
  readonly hasUndo: boolean;
  readonly checkpoints: () => Services['checkpoints'] | undefined;
}
