// Exposes the plan of a chat as undoable state.
import type { Undoable } from 'agent-harness/builtins/turn/checkpoints';
import type { Plan } from './contract.ts';
import type { PlanStore } from './plan-store.ts';

export const planKey = 'plan';

/** @param told called after the plan was restored, to notify clients */
export function undoablePlan(store: Pick<PlanStore, 'read' | 'write' | 'clear'>, told: (chatId: string, plan: Plan) => void): Undoable {
  const read = async (chatId: string): Promise<string | null> => {
    const plan = await store.read(chatId);
    return plan ? JSON.stringify(plan) : null;
  };
  return {
    name: 'plan',
    title: 'the plan',
    label: () => 'the plan',
    read: (_, { chatId }) => read(chatId),
    async restore(_, { from, to }, { chatId }) {
      if ((await read(chatId)) !== from) return false;
      const plan = to === null ? undefined : (JSON.parse(to) as Plan);
      const gone = plan ? undefined : await store.clear(chatId);
      if (plan) await store.write(chatId, plan);
      told(chatId, plan ?? { turnId: gone?.turnId ?? '', items: [] });
      return true;
    },
  };
}
