// Defines the dependencies that the transcription programs share.
import type { KernelError } from 'agent-harness/kernel';
import type { Programs } from '../find-speech-programs.ts';
import type { ProgramParts } from '../run-program.ts';

export interface ListeningParts extends ProgramParts {
  /** Values of the settings; read on every use, because they may change. */
  readonly settings: { readonly whisperModel: string };
  readonly programs: Programs;
  /** Returns the folder for temporary files of a program. */
  openFolder(): Promise<string>;
  /** Folder of the models. */
  readonly models: string;
  readonly refuse: (reason: 'LANGUAGE' | 'NEEDS_FFMPEG', details: Readonly<Record<string, unknown>>) => KernelError;
}
