// Defines the errors of speech.
import type { ErrorSpec, KernelError } from 'agent-harness/kernel';

export const errors = {
  DISABLED: { message: 'Speech is switched off; AGENT_TTS_ENABLED=1 switches it on.', status: 503 },
  NOTHING_TO_SAY: { message: 'There is nothing in this text that can be said; give words.', status: 400 },
  NOT_FOUND: { message: "There is no clip '{id}'; ask for its text again.", status: 404 },
  TOO_MANY_CALLS: { message: 'This turn has spoken {limit} times, as often as AGENT_TTS_MAX_CALLS_PER_TURN lets it; write the rest.', status: 429 },
  NO_SOUND: { message: 'The engine {engine} answered without sound for this text; try other words, or another engine.', status: 502 },
  TOO_MUCH_SOUND: { message: 'The engine {engine} sent more than {limit} bytes for one part of a text.', status: 502 },
  TOO_SLOW: { message: 'The engine {engine} has sent no sound for {seconds} s.', status: 504 },
} as const satisfies Record<string, ErrorSpec>;

export type MakeError = (reason: keyof typeof errors, details?: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
