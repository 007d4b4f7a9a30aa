// Defines the settings of the heartbeat.
import * as Type from 'typebox';
import { quietHoursPattern } from './quiet-hours.ts';

const ui = { tab: 'session_ui' } as const;
const live = { ...ui, apply: 'live' } as const;

export const settingsSchema = Type.Object({
  isOn: Type.Boolean({
    default: false,
    env: 'AGENT_HEARTBEAT',
    words: 'background proactive suggestions think ahead reminders unasked',
    ...ui,
    title: 'Heartbeat',
    description:
      'After an answer, once the chat is idle, the fast model reviews the last exchange in one short call and may leave you a nudge. It makes at most one call per message that you send, and none without new messages.',
  }),
  surface: Type.Unsafe<'off' | 'trace' | 'assistant'>(
    Type.Union([Type.Literal('off'), Type.Literal('trace'), Type.Literal('assistant')], {
      default: 'trace',
      env: 'AGENT_HEARTBEAT_SURFACE',
      words: 'suggestions notifications hide',
      ...live,
      title: 'Display of nudges',
      description: 'off: nudges are only logged. trace: as a progress line. assistant: as a message. The model never reads nudges.',
    }),
  ),
  hasStrip: Type.Boolean({
    default: false,
    env: 'AGENT_HEARTBEAT_UI_STRIP',
    ...live,
    title: 'Pulse strip',
    description: 'Shows a line above the message field with the state of the heartbeat, its last run, its cost today, and the newest nudge.',
  }),
  idleMs: Type.Integer({
    default: 45_000,
    minimum: 5_000,
    maximum: 600_000,
    env: 'AGENT_HEARTBEAT_IDLE_MS',
    ...ui,
    title: 'Idle time before a heartbeat (ms)',
    description: 'Required time without a running turn, in milliseconds.',
  }),
  minIntervalMs: Type.Integer({
    default: 120_000,
    minimum: 10_000,
    maximum: 3_600_000,
    env: 'AGENT_HEARTBEAT_MIN_INTERVAL_MS',
    ...live,
    title: 'Time between heartbeats (ms)',
    description: 'Minimum time between runs, across all chats, restarts and clock changes.',
  }),
  maxTokens: Type.Integer({
    default: 512,
    minimum: 64,
    maximum: 2_048,
    env: 'AGENT_HEARTBEAT_MAX_TOKENS',
    ...live,
    title: 'Output limit of a heartbeat (tokens)',
    description: 'Maximum tokens that the model writes in one run. It reads at most 1,500 tokens.',
  }),
  timeoutMs: Type.Integer({
    default: 20_000,
    minimum: 3_000,
    maximum: 120_000,
    env: 'AGENT_HEARTBEAT_TIMEOUT_MS',
    ...live,
    title: 'Heartbeat timeout (ms)',
    description: 'A run that takes longer is stopped.',
  }),
  nudgesPerHour: Type.Integer({
    default: 2,
    minimum: 0,
    maximum: 24,
    env: 'AGENT_HEARTBEAT_MAX_USER_NUDGES_PER_HOUR',
    ...live,
    title: 'Nudges per hour',
    description: 'Maximum number of nudges shown per hour. 0: none.',
  }),
  minConfidence: Type.Number({
    default: 0.86,
    minimum: 0.5,
    maximum: 0.99,
    env: 'AGENT_HEARTBEAT_USER_NUDGE_CONFIDENCE_MIN',
    ...live,
    title: 'Minimum confidence of a nudge',
    description: 'Confidence that the model must report for a nudge to be shown, from 0 to 1. “Less of this” raises it for one chat.',
  }),
  quietHours: Type.String({
    default: '',
    pattern: quietHoursPattern,
    examples: ['22:00-07:00'],
    env: 'AGENT_HEARTBEAT_QUIET_HOURS',
    words: 'do not disturb night sleep silence',
    ...live,
    title: 'Quiet hours',
    description: "Period without heartbeats, in the server's time zone, such as 22:00-07:00. Empty: none.",
  }),
});
