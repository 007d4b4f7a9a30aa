// Defines the settings of hosted audio: address and models.
import * as Type from 'typebox';
import type { Static } from 'typebox';
import { normalizeBaseUrl, normalizeKey } from '#lib/setting-texts';

const tab = 'harness';
const apply = 'live';

export const hostedConfig = Type.Object({
  baseURL: Type.String({
    default: '',
    env: 'AGENT_AUDIO_BASE_URL',
    mustFit: true,
    normalize: normalizeBaseUrl,
    tab,
    title: 'Address for audio',
    description: "Root URL of a server with OpenAI's audio routes (/audio/transcriptions, /audio/speech), including the version. Empty: AGENT_API_BASE_URL.",
    apply,
  }),
  transcribeModel: Type.String({
    default: 'nvidia/parakeet-tdt-0.6b-v3',
    minLength: 1,
    maxLength: 200,
    env: 'AGENT_TRANSCRIBE_MODEL',
    tab,
    title: 'Model for transcription',
    description: "Transcription model, under the provider's name for it. The default supports English and other European languages.",
    apply,
  }),
  transcribeKey: Type.String({
    default: '',
    env: 'AGENT_TRANSCRIBE_API_KEY',
    mustFit: true,
    normalize: normalizeKey,
    title: 'Key for transcription',
    description: "Used for transcription instead of AGENT_API_KEY or a provider's key. It is sent only to the address for audio.",
    secret: true,
    apply,
  }),
  transcribeWire: Type.Union([Type.Literal('auto'), Type.Literal('multipart'), Type.Literal('json')], {
    default: 'auto',
    env: 'AGENT_TRANSCRIBE_WIRE',
    tab,
    title: 'Format of a transcription request',
    description:
      'Format of an uploaded recording: a form with a file, or JSON with base64. auto: the format that the address accepted before; if a form is refused, JSON is tried once.',
    apply,
  }),
  speechModel: Type.String({
    default: 'hexgrad/kokoro-82m',
    minLength: 1,
    maxLength: 200,
    env: 'AGENT_TTS_MODEL',
    tab,
    title: 'Model for speech',
    description: "Speech model, under the provider's name for it. The default supports the voice af_sky.",
    apply,
  }),
  speechFormat: Type.Union([Type.Literal('mp3'), Type.Literal('wav'), Type.Literal('pcm'), Type.Literal('flac'), Type.Literal('aac'), Type.Literal('opus')], {
    default: 'mp3',
    env: 'AGENT_TTS_FORMAT',
    tab,
    title: 'Audio format of speech',
    description: 'Audio format requested from a provider. pcm arrives soonest if the provider streams it, and is stored as WAV.',
    apply,
  }),
});

export type HostedSettings = Static<typeof hostedConfig>;
