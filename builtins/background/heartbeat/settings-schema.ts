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
      'After an answer, once it is quiet, the fast model thinks about the last exchange in one short call of its own: at most one call for each of your messages, none while nothing happens. It may leave you a nudge.',
  }),
  surface: Type.Unsafe<'off' | 'trace' | 'assistant'>(
    Type.Union([Type.Literal('off'), Type.Literal('trace'), Type.Literal('assistant')], {
      default: 'trace',
      env: 'AGENT_HEARTBEAT_SURFACE',
      words: 'suggestions notifications hide',
      ...live,
      title: 'Where a nudge shows',
      description: 'off: nowhere, it is only logged. trace: as a line about what goes on. assistant: as something that is said. The model never reads it.',
    }),
  ),
  hasStrip: Type.Boolean({
    default: false,
    env: 'AGENT_HEARTBEAT_UI_STRIP',
    ...live,
    title: 'Pulse strip',
    description: 'Shows a line over the message field: what the heartbeat does, its last run, what it cost today, and the newest nudge.',
  }),
  idleMs: Type.Integer({
    default: 45_000,
    minimum: 5_000,
    maximum: 600_000,
    env: 'AGENT_HEARTBEAT_IDLE_MS',
    ...ui,
    title: 'Quiet before a heartbeat (ms)',
    description: 'How long no turn may have run, in milliseconds.',
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
    title: 'Longest heartbeat (tokens)',
    description: 'What the model may write in one run. It reads at most 1,500 tokens.',
  }),
  timeoutMs: Type.Integer({
    default: 20_000,
    minimum: 3_000,
    maximum: 120_000,
    env: 'AGENT_HEARTBEAT_TIMEOUT_MS',
    ...live,
    title: 'Longest heartbeat (ms)',
    description: 'A run that takes longer is given up.',
  }),
  nudgesPerHour: Type.Integer({
    default: 2,
    minimum: 0,
    maximum: 24,
    env: 'AGENT_HEARTBEAT_MAX_USER_NUDGES_PER_HOUR',
    ...live,
    title: 'Nudges in an hour',
    description: 'No more are shown. 0: none.',
  }),
  minConfidence: Type.Number({
    default: 0.86,
    minimum: 0.5,
    maximum: 0.99,
    env: 'AGENT_HEARTBEAT_USER_NUDGE_CONFIDENCE_MIN',
    ...live,
    title: 'Confidence of a nudge',
    description: 'How sure the model must be that you will be glad of a nudge. “Less of this” raises it for one chat.',
  }),
  quietHours: Type.String({
    default: '',
    pattern: quietHoursPattern,
    examples: ['22:00-07:00'],
    env: 'AGENT_HEARTBEAT_QUIET_HOURS',
    words: 'do not disturb night sleep silence',
    ...live,
    title: 'Quiet hours',
    description: 'No heartbeat from … to …, in the time of this machine: 22:00-07:00. Empty: none.',
  }),
});
