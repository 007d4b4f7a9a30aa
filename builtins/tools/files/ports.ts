// Defines the dependencies of the file tools.
import type { Services } from 'agent-harness/kernel';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import type { EditorTexts } from './editor-texts.ts';
import type { SeenFiles } from './seen-files.ts';
import type { Decisions } from './paths/decisions.ts';

export interface FilePorts {
  /** Path of the product's home folder, whose files the tools never access. */
  readonly home: string;
  /** Whether `/api/undo` can revert a write. */
  readonly hasUndo: boolean;
  readonly exactFiles: ExactFiles;
  readonly decisions: Decisions;
  readonly heldTexts: EditorTexts;
  readonly seenFiles: SeenFiles;
  /** Returns the attachments service; `undefined` if the service is missing. */
  readonly attachments: () => Services['attachments'] | undefined;
  readonly artifacts: () => Services['artifacts'] | undefined;
  readonly checkpoints: () => Services['checkpoints'] | undefined;
}
