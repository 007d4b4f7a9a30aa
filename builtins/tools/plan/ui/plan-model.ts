// Computes how the plan of a chat is displayed: visibility, summary and list. Pure.
import type { Block } from 'agent-harness/view';
import { t } from '#page/kit/t.ts';

export interface PlanItem {
  readonly text: string;
  readonly status: 'pending' | 'active' | 'done';
}

export interface Plan {
  readonly items: readonly PlanItem[];
  /** Id of the last turn that wrote the plan. */
  readonly turnId?: string;
}

export const noPlan: Plan = { items: [] };

/** Returns whether to show the plan; a finished plan remains visible until the end of the turn that finished it. */
export function isPlanShown({ items, turnId }: Plan, runningTurnId: string | undefined): boolean {
  if (items.length === 0) return false;
  return items.some(({ status }) => status !== 'done') || (turnId !== undefined && turnId === runningTurnId);
}

/** Returns a summary such as `3 of 7: the active step`; without an active step, with the next one. */
export function planSummary(items: readonly PlanItem[]): string {
  const current = items.find(({ status }) => status === 'active') ?? items.find(({ status }) => status === 'pending');
  if (!current) return t('{count} of {count2} done', { count: items.length, count2: items.length });
  return t('{indexOf} of {count}: {text}', { indexOf: items.indexOf(current) + 1, count: items.length, text: current.text });
}

/** Returns the list that every client renders: in its view, on the card of the call that wrote it, and above the message field. */
export function listOfPlan(items: readonly PlanItem[]): Block<'list'> {
  return { kind: 'list', isOrdered: true, isCompact: true, items: items.map(({ text, status }) => ({ text, state: status })) };
}

/** Parses the steps of an event or a reply; skips invalid entries. */
export function readPlan(items: unknown, turnId: unknown): Plan {
  const read = Array.isArray(items) ? items.filter(isItem) : [];
  return { items: read, ...(typeof turnId === 'string' ? { turnId } : {}) };
}

function isItem(item: unknown): item is PlanItem {
  if (typeof item !== 'object' || item === null) return false;
  const { text, status } = item as Partial<PlanItem>;
  return typeof text === 'string' && (status === 'pending' || status === 'active' || status === 'done');
}
