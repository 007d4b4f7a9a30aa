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
    description:
      'Root of a server with the audio routes of OpenAI (/audio/transcriptions, /audio/speech), up to and including the version. Empty: AGENT_API_BASE_URL.',
    apply,
  }),
  transcribeModel: Type.String({
    default: 'nvidia/parakeet-tdt-0.6b-v3',
    minLength: 1,
    maxLength: 200,
    env: 'AGENT_TRANSCRIBE_MODEL',
    tab,
    title: 'Model for transcription',
    description: 'What turns speech into text at the provider, by the name that the provider gives it. The default knows English and the languages of Europe.',
    apply,
  }),
  transcribeKey: Type.String({
    default: '',
    env: 'AGENT_TRANSCRIBE_API_KEY',
    mustFit: true,
    normalize: normalizeKey,
    title: 'Key for transcription',
    description: 'Used in place of AGENT_API_KEY, or of the key of a provider, for speech recognition. It is sent only to the address for audio.',
    secret: true,
    apply,
  }),
  transcribeWire: Type.Union([Type.Literal('auto'), Type.Literal('multipart'), Type.Literal('json')], {
    default: 'auto',
    env: 'AGENT_TRANSCRIBE_WIRE',
    tab,
    title: 'Form of a transcription request',
    description:
      'How a recording is sent: as a form with a file, or as JSON with base64. auto: what the address took before; one that refuses a form gets the other once.',
    apply,
  }),
  speechModel: Type.String({
    default: 'hexgrad/kokoro-82m',
    minLength: 1,
    maxLength: 200,
    env: 'AGENT_TTS_MODEL',
    tab,
    title: 'Model for speech',
    description: 'What speaks at the provider, by the name that the provider gives it. The default knows the voice af_sky.',
    apply,
  }),
  speechFormat: Type.Union([Type.Literal('mp3'), Type.Literal('wav'), Type.Literal('pcm'), Type.Literal('flac'), Type.Literal('aac'), Type.Literal('opus')], {
    default: 'mp3',
    env: 'AGENT_TTS_FORMAT',
    tab,
    title: 'Form of spoken sound',
    description: 'Format that is requested from a provider. pcm arrives soonest if the provider streams it, and is stored as WAV.',
    apply,
  }),
});

export type HostedSettings = Static<typeof hostedConfig>;
