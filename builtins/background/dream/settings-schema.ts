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
      'While the agent is idle, at most once a day, a short model call reads the newest chats and proposes notes. Your own statements are stored; statements of others wait in the inbox. Each run can be undone.',
  }),
  isTold: Type.Boolean({
    ...common,
    default: true,
    env: 'AGENT_AUTO_DREAM_INJECT_TRANSCRIPT',
    title: 'Report the result of a dream in the chat',
    description:
      'After a run that stored a note, the active chat shows a summary of up to 400 characters, which the model also reads. Off: notes are stored without a summary.',
  }),
  mayDelete: Type.Boolean({
    ...common,
    default: false,
    env: 'AGENT_AUTO_DREAM_ALLOW_DELETE',
    title: 'Let dreams delete notes',
    description:
      'Up to 8 notes per run, except pinned notes and your notes from the last 7 days. You can restore deleted notes for 30 days, or undo the whole run.',
  }),
  minHours: count(
    'AGENT_AUTO_DREAM_MIN_HOURS',
    { default: 24, minimum: 0, maximum: 720 },
    'Minimum hours between dreams',
    'Minimum hours between the starts of two runs.',
  ),
  minSessions: count(
    'AGENT_AUTO_DREAM_MIN_SESSIONS',
    { default: 5, minimum: 1, maximum: 500 },
    'Minimum chats for a dream',
    'Number of chats that must have continued since the last run.',
  ),
  scanIntervalMs: count(
    'AGENT_AUTO_DREAM_SCAN_INTERVAL_MS',
    { default: 600_000, minimum: 0, maximum: 86_400_000 },
    'Time between scans (ms)',
    'Minimum time between two scans of the chats, in milliseconds.',
  ),
  maxFiles: count(
    'AGENT_AUTO_DREAM_MAX_SESSION_FILES',
    { default: 8, minimum: 1, maximum: 60 },
    'Maximum chats per dream',
    'Maximum number of chats that a dream reads, newest first.',
  ),
  maxPerSession: count(
    'AGENT_AUTO_DREAM_MAX_CHARS_PER_SESSION',
    { default: 10_000, minimum: 500, maximum: 50_000 },
    'Characters per chat',
    'Maximum characters that a dream reads of each chat; of a longer chat, it reads the end.',
  ),
  maxTotal: count(
    'AGENT_AUTO_DREAM_MAX_TOTAL_CHARS',
    { default: 40_000, minimum: 2_000, maximum: 200_000 },
    'Characters per dream',
    'Maximum characters that a dream reads of all chats together.',
  ),
  lockStaleMs: count(
    'AGENT_AUTO_DREAM_LOCK_STALE_MS',
    { default: 3_600_000, minimum: 60_000, maximum: 604_800_000 },
    'Lock expiry (ms)',
    'Age in milliseconds after which the lock of a running process is ignored. The lock of an ended process is ignored immediately.',
  ),
});
