// Defines the settings of dreams.
import * as Type from 'typebox';
import { variable } from './variable.ts';

const common = { tab: 'session_ui', apply: 'live' } as const;
const count = (env: string, range: { readonly default: number; readonly minimum: number; readonly maximum: number }, title: string, description: string) =>
  Type.Integer({ ...common, ...range, env, title, description });

export const settingsSchema = Type.Object({
  isOn: Type.Boolean({
    ...common,
    default: false,
    env: variable,
    words: 'background learn memory night consolidate',
    title: 'Dream',
    description:
      'In quiet moments, at most once a day, a small model call reads the newest chats and proposes notes. What you said yourself is kept; what others said waits in the inbox; each run can be undone.',
  }),
  isTold: Type.Boolean({
    ...common,
    default: true,
    env: 'AGENT_AUTO_DREAM_INJECT_TRANSCRIPT',
    title: 'Report the result of a dream in the chat',
    description: 'A run that kept something says so in up to 400 characters in the active chat, for you and the model. Off: notes are kept all the same.',
  }),
  mayDelete: Type.Boolean({
    ...common,
    default: false,
    env: 'AGENT_AUTO_DREAM_ALLOW_DELETE',
    title: 'Dreams may delete notes',
    description: 'Up to 8 a run, never pinned ones nor what you wrote in the last 7 days; they can be restored for 30 days, and with the whole run.',
  }),
  minHours: count('AGENT_AUTO_DREAM_MIN_HOURS', { default: 24, minimum: 0, maximum: 720 }, 'Hours between dreams', 'How long after the last run began.'),
  minSessions: count(
    'AGENT_AUTO_DREAM_MIN_SESSIONS',
    { default: 5, minimum: 1, maximum: 500 },
    'Chats for a dream',
    'How many chats must have gone on since the last run.',
  ),
  scanIntervalMs: count(
    'AGENT_AUTO_DREAM_SCAN_INTERVAL_MS',
    { default: 600_000, minimum: 0, maximum: 86_400_000 },
    'Time between scans',
    'Minimum milliseconds between two scans of the chats.',
  ),
  maxFiles: count('AGENT_AUTO_DREAM_MAX_SESSION_FILES', { default: 8, minimum: 1, maximum: 60 }, 'Chats that a dream reads', 'The newest ones, up to so many.'),
  maxPerSession: count(
    'AGENT_AUTO_DREAM_MAX_CHARS_PER_SESSION',
    { default: 10_000, minimum: 500, maximum: 50_000 },
    'Characters of each chat',
    'Of what is longer the end is read.',
  ),
  maxTotal: count(
    'AGENT_AUTO_DREAM_MAX_TOTAL_CHARS',
    { default: 40_000, minimum: 2_000, maximum: 200_000 },
    'Characters that a dream reads',
    'Of all chats together.',
  ),
  lockStaleMs: count(
    'AGENT_AUTO_DREAM_LOCK_STALE_MS',
    { default: 3_600_000, minimum: 60_000, maximum: 604_800_000 },
    'Age at which a lock counts for nothing',
    'Milliseconds. The lock of a process that is gone counts for nothing at once.',
  ),
});
