// Formats the texts of the Pulse strip. Pure.
import type { ReplyOf } from 'agent-harness/client';
import { formatCost, formatPercent } from '#page/kit/page/format.ts';
import { isAgo, isNow, timeAgo } from '#page/kit/short-texts.ts';
import { dayText, stateText } from './heartbeat-texts.ts';
import { t } from '#page/kit/t.ts';

export type PulseView = ReplyOf<'GET /api/heartbeat'>;
export type PulseRun = NonNullable<PulseView['last']>;

/** Describes what the heartbeat is doing now, or its last run. */
export function nowText(view: PulseView, now: Date): string {
  return stateText(view, lastText(view.last, now));
}

function lastText(last: PulseRun | undefined, now: Date): string {
  if (!last) return t('Waits for your first message');
  if (isAgo(last.at, now)) return t('Ran {time} ago', { time: timeAgo(last.at, now) });
  return isNow(last.at, now) ? t('Ran just now') : t('Ran on {date}', { date: timeAgo(last.at, now) });
}

const sumOf = (cost: number | null): string => (cost === null ? t('unknown cost') : formatCost(cost));

/** Returns today's cost in a short form for narrow layouts. */
export function costText({ cost, runs }: PulseView['today']): string {
  return runs === 0 ? t('Nothing today') : t('{cost} today', { cost: sumOf(cost) });
}

export function todayText(today: PulseView['today']): string {
  return today.runs === 0 ? t('Nothing yet.') : t('{day}; {sum}', { day: dayText(today), sum: sumOf(today.cost) });
}

/** Formats a share as a percentage, rounded down. */
export const percent = (share: number): string => formatPercent(Math.floor(share * 100) / 100);

/** Formats a text as a Markdown quote that starts a message about it. */
export function quoted(text: string): string {
  return `> ${text}\n\n`;
}
