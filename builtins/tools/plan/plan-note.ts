// Repeats the plan at the end of the conversation, so that the model still sees it after older rounds were shortened.
import { oneLine } from '#lib/text';
import type { Prompt } from 'agent-harness/plugins/agent';
import type { Plan, PlanStatus } from './contract.ts';

const marks: Readonly<Record<PlanStatus, string>> = { pending: '[ ]', active: '[>]', done: '[x]' };

/** Adds the plan; returns `undefined` if no steps remain, because a finished plan is irrelevant to what follows. */
export function withPlan(prompt: Prompt, plan: Plan | undefined): Prompt | undefined {
  if (!plan || plan.items.every((item) => item.status === 'done')) return undefined;
  return { ...prompt, tail: [...prompt.tail, { role: 'system', text: `Your current plan (update_plan changes it):\n${planText(plan)}` }] };
}

export function planText({ items }: Pick<Plan, 'items'>): string {
  return items.map((item) => `${marks[item.status]} ${oneLine(item.text)}`).join('\n');
}
