// Warns that a cap is nearly reached, in the chat of the call, or else in all chats.
import type { Emitter } from 'agent-harness/kernel';
import type { WireEvent } from 'agent-harness/plugins/chats';
import * as Type from 'typebox';
import type { BudgetWarning, ModelRequest, SpendingState } from '../contract.ts';
import { usdText } from './spending.ts';

export const budgetWarningEvent: WireEvent = {
  name: 'budget_warning',
  description: 'A model call of a chat passed 80 or 95 percent of a budget. Told once for each.',
  permission: 'chats.read',
  schema: Type.Object({
    chatId: Type.String(),
    turnId: Type.Optional(Type.String()),
    cap: Type.String({ description: 'Its name.' }),
    source: Type.String({ description: 'The variable that sets it.' }),
    percent: Type.Integer(),
    spent: Type.Number({ description: 'USD.' }),
    limit: Type.Number({ description: 'USD.' }),
    resetsAt: Type.Optional(Type.String({ description: 'ISO 8601; of a budget for a day.' })),
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
  const until = resetsAt === undefined ? '' : ' It begins anew at midnight.';
  return `${percent} percent of the budget '${cap}' are spent: ${usdText(spent)} of ${usdText(limit)} USD (${source}).${until}`;
}
