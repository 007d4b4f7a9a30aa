// Stores the plan of each chat in memory and in the chat's folder, so that it survives a restart.
import { join } from 'node:path';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Plan, PlanItem } from './contract.ts';
import { maxItems } from './plan-schema.ts';

export interface PlanStore {
  read(chatId: string): Promise<Plan | undefined>;
  /** Stores a plan; deletes one without items. Resolves when the change is on disk. */
  write(chatId: string, plan: Plan): Promise<void>;
  /** Deletes a plan. Resolves with the deleted plan; `undefined` if there was none. */
  clear(chatId: string): Promise<Plan | undefined>;
  /** Drops the plan from memory after the folder of its chat was deleted. */
  drop(chatId: string): void;
}

const statuses: readonly unknown[] = ['pending', 'active', 'done'];

export function createPlanStore(services: { readonly chats: Chats; readonly storage: Storage }): PlanStore {
  const plans = new Map<string, Plan | undefined>();
  const fileOf = (chatId: string): string => join(services.chats.folder(chatId), 'plan.json');

  async function read(chatId: string): Promise<Plan | undefined> {
    if (plans.has(chatId)) return plans.get(chatId);
    const saved = await services.storage.readJson(fileOf(chatId), isPlan);
    const plan = saved && saved.items.length > 0 ? { turnId: saved.turnId, items: saved.items.slice(0, maxItems) } : undefined;
    // A plan that was written during the read is newer.
    if (!plans.has(chatId)) plans.set(chatId, plan);
    return plans.get(chatId);
  }

  async function clear(chatId: string): Promise<Plan | undefined> {
    const plan = await read(chatId);
    await services.storage.remove(fileOf(chatId));
    plans.set(chatId, undefined);
    return plan;
  }

  return {
    read,
    clear,
    async write(chatId, plan) {
      if (plan.items.length === 0) return void (await clear(chatId));
      await services.storage.writeJson(fileOf(chatId), plan);
      plans.set(chatId, plan);
    },
    drop: (chatId) => void plans.delete(chatId),
  };
}

function isPlan(read: unknown): read is Plan {
  const { turnId, items } = (read ?? {}) as { readonly turnId?: unknown; readonly items?: unknown };
  return typeof turnId === 'string' && Array.isArray(items) && items.every(isItem);
}

function isItem(one: unknown): one is PlanItem {
  const { text, status } = (one ?? {}) as { readonly text?: unknown; readonly status?: unknown };
  return typeof text === 'string' && statuses.includes(status);
}
