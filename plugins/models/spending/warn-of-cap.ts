// Warns that a spending cap is nearly reached: in the chat of the call or, without a chat, in all chats.
import type { Emitter } from 'agent-harness/kernel';
import type { WireEvent } from 'agent-harness/plugins/chats';
import * as Type from 'typebox';
import type { BudgetWarning, ModelRequest, SpendingState } from '../contract.ts';
import { usdText } from './spending.ts';

export const budgetWarningEvent: WireEvent = {
  name: 'budget_warning',
  description: 'The model calls reached 80 or 95 percent of a budget. Sent once for each percentage.',
  permission: 'chats.read',
  schema: Type.Object({
    chatId: Type.String(),
    turnId: Type.Optional(Type.String()),
    cap: Type.String({ description: 'Name of the budget.' }),
    source: Type.String({ description: 'Name of the variable that sets the limit.' }),
    percent: Type.Integer(),
    spent: Type.Number({ description: 'Spent amount in USD.' }),
    limit: Type.Number({ description: 'Limit in USD.' }),
    resetsAt: Type.Optional(Type.String({ description: 'Time at which a daily budget is reset, ISO 8601.' })),
  }),
  shows: (event: BudgetWarning) => ({ text: sentence(event) }),
};

export function warnOfCap(
  emitter: Pick<Emitter, 'emit'>,
  { chatId, turnId }: Pick<ModelRequest, 'chatId' | 'turnId'>,
  { name, source, spent, limit, resetsAt }: SpendingState,
  percent: number,
): void {
  const warning = { cap: name, source, percent, spent, limit, ...(resetsAt === undefined ? {} : { resetsAt }) };
  if (chatId !== undefined) emitter.emit('budget_warning', { chatId, ...(turnId === undefined ? {} : { turnId }), ...warning });
  else emitter.emit('error', { source: 'models', code: 'MODELS_ERR_BUDGET_WARNING', message: sentence(warning) });
}

function sentence({ percent, cap, spent, limit, source, resetsAt }: Omit<BudgetWarning, 'chatId'>): string {
  const until = resetsAt === undefined ? '' : ' The budget is reset at midnight.';
  return `${percent} percent of the budget '${cap}' are spent: ${usdText(spent)} of ${usdText(limit)} USD (${source}).${until}`;
}
