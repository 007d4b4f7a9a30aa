// Sends the plan of a chat to the editor.
import type { PlanEntry, SessionUpdate } from '@agentclientprotocol/sdk';
import { CallError, type Client } from 'agent-harness/client';

export interface PlanItem {
  readonly text: string;
  readonly status: string;
}

export interface PlanNotifier {
  tell(items: readonly PlanItem[]): void;
  /** Sends the current plan, if any. */
  read(): Promise<void>;
}

const statuses: Readonly<Record<string, PlanEntry['status']>> = { pending: 'pending', active: 'in_progress', done: 'completed' };

export function createPlanNotifier(client: Client, chatId: string, tell: (update: SessionUpdate) => void): PlanNotifier {
  const plan: PlanNotifier = {
    tell(items) {
      const entries = items.map(({ text, status }) => ({ content: text, priority: 'medium' as const, status: statuses[status] ?? 'pending' }));
      tell({ sessionUpdate: 'plan', entries });
    },
    async read() {
      try {
        const { items } = await client.call('GET /api/plan', { query: { chatId } });
        if (items.length > 0) plan.tell(items);
      } catch (fault) {
        if (!(fault instanceof CallError)) throw fault;
        // an older server does not support plans
      }
    },
  };
  return plan;
}
