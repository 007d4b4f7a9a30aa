// Contributes the plan to the page, above the message field, while a plan exists.
import type { Contribution } from '#page/points/contribution.ts';
import { PlanList } from './plan-list.tsx';

export const contribution: Contribution = {
  plugin: 'plan',
  parts: [{ slot: 'over-composer', title: 'The plan', isForGuests: true, permission: 'chats.read', Part: PlanList }],
};
