// Defines the errors of recordings.
import type { ErrorSpec, KernelError } from 'agent-harness/kernel';

export const errors = {
  DISABLED: { message: 'Transcription is disabled. Set AGENT_TRANSCRIBE_ENABLED=1 to enable it.', status: 503 },
  NOT_AUDIO: { message: 'This is not a recording: {why}. Supported formats: WAV, WebM, Ogg, MP3, M4A, FLAC and AAC.', status: 400 },
  TOO_LARGE: { message: 'The recording is larger than {limit} bytes, the limit of AGENT_TRANSCRIBE_MAX_BYTES. Record a shorter one.', status: 413 },
  INVALID_REQUEST: { message: 'The request is invalid: {why}', status: 400 },
  NOT_FOUND: { message: "This chat has no recording '{id}'.", status: 404 },
} as const satisfies Record<string, ErrorSpec>;

export type MakeError = (reason: keyof typeof errors, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
