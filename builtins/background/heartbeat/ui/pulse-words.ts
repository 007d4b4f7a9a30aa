// What the strip says, in words. Pure.
import type { ReplyOf } from 'agent-harness/client';
import { formatCost } from '#page/kit/page/format.ts';
import { timeAgo } from '#page/kit/words.ts';

export type PulseView = ReplyOf<'GET /api/heartbeat'>;
export type PulseRun = NonNullable<PulseView['last']>;

/** What it does now. */
export function stateText({ state, last, quietHours }: PulseView, now: Date): string {
  if (state === 'waiting') return 'Thinks when it is quiet';
  if (state === 'thinking') return 'Thinking';
  if (state === 'muted') return 'Muted until tomorrow';
  if (state === 'quiet_hours') return `Quiet hours, ${quietHours}`;
  if (state === 'no_model') return 'Waits for a model';
  if (state === 'off') return 'Off';
  if (!last) return 'Waits for your first message';
  const ago = timeAgo(last.at, now);
  return ago === 'now' ? 'Thought just now' : `Last thought ${/^\d+ (?:min|h|d)$/.test(ago) ? `${ago} ago` : `on ${ago}`}`;
}

const sumOf = (cost: number | null): string => (cost === null ? 'cost not known' : formatCost(cost));

/** For where there is little room. */
export function costText({ cost, runs }: PulseView['today']): string {
  return runs === 0 ? 'Nothing today' : `${sumOf(cost)} today`;
}

const failures: Readonly<Record<string, string>> = {
  not_json: 'the model answered in prose',
  half_json: 'the answer broke off',
  too_long: 'the answer was too long',
  wrong_shape: 'the answer did not have the agreed shape',
  busy: 'a turn began',
  stopped: 'the server was stopped',
  budget: 'the budget for the heartbeat is spent',
  MODELS_ERR_TIMED_OUT: 'the model took too long',
};

/** What a run came to. */
export function runText({ outcome, reason = '', summary = '', nudge }: PulseRun): string {
  if (outcome === 'completed') return summary || (nudge ? 'A nudge.' : 'Nothing worth a word.');
  if (outcome === 'interrupted') return 'Cut off: the server ended.';
  return `${outcome === 'failed' ? 'Came to nothing' : 'Left'}: ${failures[reason] ?? `the model could not be asked (${reason})`}.`;
}

export function todayText({ runs, failed, shown, used, dismissed, cost }: PulseView['today']): string {
  if (runs === 0) return 'Nothing yet.';
  const thoughts = `${runs} ${runs === 1 ? 'thought' : 'thoughts'}${failed === 0 ? '' : `, ${failed} failed`}`;
  const nudges = shown === 0 ? 'no nudge' : `${shown} ${shown === 1 ? 'nudge' : 'nudges'}: ${used} used, ${dismissed} dismissed`;
  return `${thoughts}, ${nudges}; ${sumOf(cost)}`;
}

export function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

/** As a message about it begins. */
export function quoted(text: string): string {
  return `> ${text}\n\n`;
}
