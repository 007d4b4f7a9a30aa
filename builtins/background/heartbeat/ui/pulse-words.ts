// What the strip says, in words. Pure.
import type { ReplyOf } from 'agent-harness/client';
import { formatCost } from '#page/kit/page/format.ts';
import { timeAgo } from '#page/kit/words.ts';
import { dayText, stateText } from './beat-words.ts';

export type PulseView = ReplyOf<'GET /api/heartbeat'>;
export type PulseRun = NonNullable<PulseView['last']>;

/** What it does now, or did last. */
export function nowText(view: PulseView, now: Date): string {
  return stateText(view, lastText(view.last, now));
}

function lastText(last: PulseRun | undefined, now: Date): string {
  if (!last) return 'Waits for your first message';
  const ago = timeAgo(last.at, now);
  return ago === 'now' ? 'Thought just now' : `Last thought ${/^\d+ (?:min|h|d)$/.test(ago) ? `${ago} ago` : `on ${ago}`}`;
}

const sumOf = (cost: number | null): string => (cost === null ? 'cost not known' : formatCost(cost));

/** For where there is little room. */
export function costText({ cost, runs }: PulseView['today']): string {
  return runs === 0 ? 'Nothing today' : `${sumOf(cost)} today`;
}

export function todayText(today: PulseView['today']): string {
  return today.runs === 0 ? 'Nothing yet.' : `${dayText(today)}; ${sumOf(today.cost)}`;
}

export function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

/** As a message about it begins. */
export function quoted(text: string): string {
  return `> ${text}\n\n`;
}
