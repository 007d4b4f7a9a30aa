// Defines the settings of transcription: whether it is enabled, limits, and how dictation works in the page.
import * as Type from 'typebox';
import type { Static } from 'typebox';

/** Maximum size of a recording in bytes; this is the upper limit of the setting. */
export const mostClipBytes = 100 * 1024 * 1024;

export const transcriptionConfig = Type.Object({
  isEnabled: Type.Boolean({
    default: true,
    env: 'AGENT_TRANSCRIBE_ENABLED',
    words: 'dictation microphone mic voice speech to text listen whisper',
    rank: 54,
    tab: 'harness',
    title: 'Transcription',
    description: 'Converts speech to text, for dictation and for recordings that you ask the agent about. Off: nothing is recorded or sent.',
  }),
  maxBytes: Type.Integer({
    default: 26_214_400,
    minimum: 1,
    maximum: mostClipBytes,
    env: 'AGENT_TRANSCRIBE_MAX_BYTES',
    tab: 'harness',
    title: 'Maximum recording size (bytes)',
    description: "A larger recording is refused before it is stored. 25 MB are 13 minutes in the page's format.",
    apply: 'live',
  }),
  hasVocabulary: Type.Boolean({
    default: false,
    env: 'AGENT_TRANSCRIBE_VOCABULARY',
    tab: 'harness',
    title: 'Names from the workspace',
    description: "Sends the names of the chat's files and folders with the audio, to the same service, so that they are spelled correctly.",
    apply: 'live',
  }),
  hasWebSpeech: Type.Boolean({
    default: false,
    env: 'AGENT_DICTATION_WEB_SPEECH',
    words: 'live microphone recognition',
    tab: 'web_research',
    title: 'Browser preview',
    description:
      "Shows words while you speak, by the browser's own recognizer, which may send the audio to the browser's vendor. The final text still comes from the recording.",
    apply: 'live',
  }),
  hasAudioCue: Type.Boolean({
    default: false,
    env: 'AGENT_DICTATION_AUDIO_CUE',
    words: 'beep noise microphone mute',
    tab: 'harness',
    title: 'Start and end sound',
    description: 'Plays a short sound when dictation begins and when it ends.',
    apply: 'live',
  }),
});

export type TranscriptionSettings = Static<typeof transcriptionConfig>;
