// Builds the view of a chat's plan for all clients, and the view of the call that wrote it.
import type { View, ViewContribution } from 'agent-harness/plugins/views';
import type { Plan } from './contract.ts';
import type { PlanStore } from './plan-store.ts';
import { listOfPlan } from './ui/plan-model.ts';

export function planView(store: PlanStore): ViewContribution {
  return {
    name: 'plan',
    title: 'Plan',
    description: 'Shows the steps of this chat’s plan and their progress.',
    icon: 'list',
    // The page and the terminal show the plan above the message field.
    place: 'none',
    permission: 'chats.read',
    changesOn: ['plan_updated'],
    read: async ({ chatId }) => viewOfPlan((chatId === undefined ? undefined : await store.read(chatId)) ?? { items: [] }),
  };
}

export function viewOfPlan({ items }: Pick<Plan, 'items'>): View {
  return { blocks: [listOfPlan(items)] };
}
