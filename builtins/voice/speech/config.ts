// Defines the settings of speech: activation, voice and limits.
import * as Type from 'typebox';
import type { Static } from 'typebox';

export const speechConfig = Type.Object({
  isEnabled: Type.Boolean({
    default: false,
    env: 'AGENT_TTS_ENABLED',
    words: 'read aloud voice text to speech talk mute sound audio speak',
    rank: 50,
    tab: 'harness',
    title: 'Speech',
    description: 'Replies can be read aloud, and the agent can speak. Off: no text goes to an engine.',
  }),
  voice: Type.String({
    default: 'af_sky',
    minLength: 1,
    maxLength: 80,
    pattern: '^[\\w .+()/-]+$',
    env: 'AGENT_TTS_VOICE',
    words: 'speaker sound accent read aloud talk',
    rank: 52,
    tab: 'harness',
    title: 'Voice',
    description: 'As the engine names it. One that it does not have is answered in a voice that it has.',
    apply: 'live',
  }),
  maxChars: Type.Integer({
    default: 4_096,
    minimum: 1,
    maximum: 100_000,
    env: 'AGENT_TTS_MAX_CHARS_PER_CALL',
    tab: 'harness',
    title: 'Longest text of a call (characters)',
    description: 'What is longer is spoken up to the last sentence that fits. A reply that is read aloud counts as one call for each such piece.',
    apply: 'live',
  }),
  maxCalls: Type.Integer({
    default: 8,
    minimum: 0,
    maximum: 1_000,
    env: 'AGENT_TTS_MAX_CALLS_PER_TURN',
    tab: 'harness',
    title: 'Calls of speech in a turn',
    description: 'How often a turn speaks at most.',
    apply: 'live',
  }),
  minIntervalMs: Type.Integer({
    default: 800,
    minimum: 0,
    maximum: 60_000,
    env: 'AGENT_TTS_MIN_INTERVAL_MS',
    tab: 'harness',
    title: 'Time between calls of speech (ms)',
    description: 'A call that comes earlier in a turn waits. The sentences of a reply do not.',
    apply: 'live',
  }),
  cacheMegabytes: Type.Integer({
    default: 256,
    minimum: 1,
    maximum: 100_000,
    env: 'AGENT_TTS_CACHE_MB',
    tab: 'harness',
    title: 'Speech cache (MB)',
    description: 'Clips are kept with their chats, so that nothing is spoken by an engine twice. Beyond this the oldest go.',
    apply: 'live',
  }),
});

export type SpeechSettings = Static<typeof speechConfig>;
