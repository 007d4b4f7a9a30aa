// Defines the settings of transcription: activation, limits, and the page's dictation behaviour.
import * as Type from 'typebox';
import type { Static } from 'typebox';

/** Maximum size of a recording after base64; the upper limit of the setting. */
export const mostClipBytes = 100 * 1024 * 1024;

export const transcriptionConfig = Type.Object({
  isEnabled: Type.Boolean({
    default: true,
    env: 'AGENT_TRANSCRIBE_ENABLED',
    words: 'dictation microphone mic voice speech to text listen whisper',
    rank: 54,
    tab: 'harness',
    title: 'Transcription',
    description: 'Turns speech into text: for dictation, and for recordings that the agent is asked about. Off: nothing is recorded or sent.',
  }),
  maxBytes: Type.Integer({
    default: 26_214_400,
    minimum: 1,
    maximum: mostClipBytes,
    env: 'AGENT_TRANSCRIBE_MAX_BYTES',
    tab: 'harness',
    title: 'Longest recording (bytes)',
    description: 'A larger one is refused before it is kept. 25 MB are 13 minutes as the page records.',
    apply: 'live',
  }),
  hasVocabulary: Type.Boolean({
    default: false,
    env: 'AGENT_TRANSCRIBE_VOCABULARY',
    tab: 'harness',
    title: 'Names of the workspace',
    description:
      "Gives the recognizer the names of the chat's files and folders, so that it spells them correctly. They are sent to the same service as the audio.",
    apply: 'live',
  }),
  hasWebSpeech: Type.Boolean({
    default: false,
    env: 'AGENT_DICTATION_WEB_SPEECH',
    words: 'live microphone recognition',
    tab: 'web_research',
    title: 'Preview by the browser',
    description:
      "Shows words while you speak, by the browser's own recognizer, which may send the audio to the browser's vendor. The final text still comes from the recording.",
    apply: 'live',
  }),
  hasAudioCue: Type.Boolean({
    default: false,
    env: 'AGENT_DICTATION_AUDIO_CUE',
    words: 'beep noise microphone mute',
    tab: 'harness',
    title: 'Sound at start and end',
    description: 'Plays a short sound when dictation begins and when it ends.',
    apply: 'live',
  }),
});

export type TranscriptionSettings = Static<typeof transcriptionConfig>;
