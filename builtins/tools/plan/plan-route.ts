// Serves `GET /api/plan`: returns the plan of a chat.
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import { itemsSchema } from './plan-schema.ts';
import type { PlanStore } from './plan-store.ts';

const schema = {
  query: Type.Object({ chatId: Type.Optional(Type.String({ description: 'Default: the active chat.' })) }, { additionalProperties: false }),
  reply: Type.Object({ items: itemsSchema, turnId: Type.Optional(Type.String({ description: 'Last turn that wrote the plan.' })) }),
};

export function planRoute(store: PlanStore, chats: Chats): Route<typeof schema> {
  return {
    key: 'GET /api/plan',
    summary: "Returns the steps of a chat's plan; empty if there is none.",
    tag: 'session',
    permission: 'chats.read',
    schema,
    async handle({ query }) {
      // Requesting the active chat would create the first one, but a GET must not change anything.
      const chatId = query.chatId === undefined ? chats.activeId : (await chats.get(query.chatId)).chatId;
      const plan = chatId === undefined ? undefined : await store.read(chatId);
      return { items: [...(plan?.items ?? [])], ...(plan ? { turnId: plan.turnId } : {}) };
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/plan': typeof schema;
  }
}
