// Defines the errors of providers' audio routes, with their remedies.
import type { ErrorSpec, KernelError } from 'agent-harness/kernel';

export const errors = {
  MODEL_GONE: {
    message: "{host} does not offer, or no longer offers, the model '{model}' for this: {why}. Set {variable} to one that it offers{offered}.",
    status: 502,
  },
  NO_ROUTES: {
    message: '{host} has no audio routes: {why}. Set AGENT_AUDIO_BASE_URL to a server that has them. Until then an installed program is used, if there is one.',
    status: 502,
  },
  KEY_REFUSED: {
    message: '{host} does not accept the key for audio: {why}. Set {variable} in the environment or in the .env file of the home folder.',
    status: 502,
  },
  CLIP_REFUSED: { message: '{host} cannot use the recording: {why}. The recording is stored; you can try again.', status: 422 },
  TEXT_REFUSED: { message: '{host} cannot speak this: {why}. Check AGENT_TTS_VOICE and AGENT_TTS_FORMAT.', status: 422 },
  NO_SPEECH: { message: '{host} returned no audio: {why}.', status: 502 },
  BAD_REPLY: { message: '{host} returned no transcript: {why}.', status: 502 },
} as const satisfies Record<string, ErrorSpec>;

export type MakeError = (reason: keyof typeof errors, details: Readonly<Record<string, unknown>>, cause?: unknown) => KernelError;
