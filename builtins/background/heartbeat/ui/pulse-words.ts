// Formats the texts of the Pulse strip. Pure.
import type { ReplyOf } from 'agent-harness/client';
import { formatCost, formatPercent } from '#page/kit/page/format.ts';
import { isAgo, isNow, timeAgo } from '#page/kit/words.ts';
import { dayText, stateText } from './beat-words.ts';
import { t } from '#page/kit/t.ts';

export type PulseView = ReplyOf<'GET /api/heartbeat'>;
export type PulseRun = NonNullable<PulseView['last']>;

/** Describes the current or last action. */
export function nowText(view: PulseView, now: Date): string {
  return stateText(view, lastText(view.last, now));
}

function lastText(last: PulseRun | undefined, now: Date): string {
  if (!last) return t('Waits for your first message');
  if (isAgo(last.at, now)) return t('Last thought {time} ago', { time: timeAgo(last.at, now) });
  return isNow(last.at, now) ? t('Thought just now') : t('Last thought on {date}', { date: timeAgo(last.at, now) });
}

const sumOf = (cost: number | null): string => (cost === null ? t('cost not known') : formatCost(cost));

/** Short form for narrow layouts. */
export function costText({ cost, runs }: PulseView['today']): string {
  return runs === 0 ? t('Nothing today') : t('{sumOf} today', { sumOf: sumOf(cost) });
}

export function todayText(today: PulseView['today']): string {
  return today.runs === 0 ? t('Nothing yet.') : t('{day}; {sum}', { day: dayText(today), sum: sumOf(today.cost) });
}

/** Formats a share as a percentage, rounded down. */
export const percent = (share: number): string => formatPercent(Math.floor(share * 100) / 100);

/** Quotes a text as the beginning of a message about it. */
export function quoted(text: string): string {
  return `> ${text}\n\n`;
}
