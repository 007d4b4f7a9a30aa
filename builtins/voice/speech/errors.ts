// Defines the errors of speech.
import type { ErrorSpec, KernelError } from 'agent-harness/kernel';

export const errors = {
  DISABLED: { message: 'Speech is disabled. Set AGENT_TTS_ENABLED=1 to enable it.', status: 503 },
  NOTHING_TO_SAY: { message: 'This text contains nothing that can be spoken. Send words.', status: 400 },
  NOT_FOUND: { message: "There is no clip '{id}'. Request its text again.", status: 404 },
  TOO_MANY_CALLS: { message: 'This turn has spoken {limit} times, the limit of AGENT_TTS_MAX_CALLS_PER_TURN. Write the rest.', status: 429 },
  NO_SOUND: { message: 'The engine {engine} returned no audio for this text. Try other words or another engine.', status: 502 },
  TOO_MUCH_SOUND: { message: 'The engine {engine} sent more than {limit} bytes for one part of a text.', status: 502 },
  TOO_SLOW: { message: 'The engine {engine} sent no audio for {seconds} s.', status: 504 },
} as const satisfies Record<string, ErrorSpec>;

export type MakeError = (reason: keyof typeof errors, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
