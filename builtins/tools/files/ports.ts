// What the file tools need from the rest of the program.
import type { Services } from 'agent-harness/kernel';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import type { HeldTexts } from './held-texts.ts';
import type { SeenFiles } from './seen-files.ts';
import type { Decisions } from './paths/decisions.ts';

export interface FilePorts {
  /** The product's home folder: its files are nobody's business. */
  readonly home: string;
  /** Whether `/api/undo` can take a write back. */
  readonly hasUndo: boolean;
  readonly exactFiles: ExactFiles;
  readonly decisions: Decisions;
  readonly heldTexts: HeldTexts;
  readonly seenFiles: SeenFiles;
  /** Files that came with messages; left out where nothing keeps them. */
  readonly attachments: () => Services['attachments'] | undefined;
  readonly artifacts: () => Services['artifacts'] | undefined;
  readonly checkpoints: () => Services['checkpoints'] | undefined;
}
