// Defines the errors of recordings.
import type { ErrorSpec, KernelError } from 'agent-harness/kernel';

export const errors = {
  DISABLED: { message: 'Transcription is switched off; AGENT_TRANSCRIBE_ENABLED=1 switches it on.', status: 503 },
  NOT_AUDIO: { message: 'This is no recording: {why}. WAV, WebM, Ogg, MP3, M4A, FLAC and AAC are.', status: 400 },
  TOO_LARGE: { message: 'The recording is larger than the {limit} bytes of AGENT_TRANSCRIBE_MAX_BYTES; record less at once.', status: 413 },
  INVALID_REQUEST: { message: 'The request is not valid: {why}', status: 400 },
  NOT_FOUND: { message: "This chat has no recording '{id}'.", status: 404 },
} as const satisfies Record<string, ErrorSpec>;

export type MakeError = (reason: keyof typeof errors, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
