// Defines the settings of speech: whether it is enabled, voice and limits.
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
    description: 'Reads replies aloud and lets the agent speak. Off: no text is sent to a speech engine.',
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
    description: 'Name of the voice, as the engine lists it. An unknown name is replaced by a voice of the engine.',
    apply: 'live',
  }),
  maxChars: Type.Integer({
    default: 4_096,
    minimum: 1,
    maximum: 100_000,
    env: 'AGENT_TTS_MAX_CHARS_PER_CALL',
    tab: 'harness',
    title: 'Longest text of a call (characters)',
    description: 'A longer text is spoken up to the last sentence that fits. A reply that is read aloud counts as one call per piece of this length.',
    apply: 'live',
  }),
  maxCalls: Type.Integer({
    default: 8,
    minimum: 0,
    maximum: 1_000,
    env: 'AGENT_TTS_MAX_CALLS_PER_TURN',
    tab: 'harness',
    title: 'Speech calls per turn',
    description: 'Maximum number of speech calls in a turn.',
    apply: 'live',
  }),
  minIntervalMs: Type.Integer({
    default: 800,
    minimum: 0,
    maximum: 60_000,
    env: 'AGENT_TTS_MIN_INTERVAL_MS',
    tab: 'harness',
    title: 'Minimum time between speech calls (ms)',
    description: 'A call that comes sooner waits. The sentences of a reply do not wait.',
    apply: 'live',
  }),
  cacheMegabytes: Type.Integer({
    default: 256,
    minimum: 1,
    maximum: 100_000,
    env: 'AGENT_TTS_CACHE_MB',
    tab: 'harness',
    title: 'Speech cache (MB)',
    description: 'Maximum size of the clips that are stored with their chats, so that no text is synthesised twice. The oldest ones are removed first.',
    apply: 'live',
  }),
});

export type SpeechSettings = Static<typeof speechConfig>;
