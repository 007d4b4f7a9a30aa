// Registers the tools `update_plan` (a short list of steps, which clients show live) and `present_plan` (ends plan mode).
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/clients/cli';
import type {} from 'agent-harness/builtins/turn/checkpoints';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import type { ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import type {} from 'agent-harness/plugins/views';
import type { Plan } from './contract.ts';
import { planText, withPlan } from './plan-note.ts';
import { planRoute } from './plan-route.ts';
import { itemsSchema, updatePlanInput } from './plan-schema.ts';
import { createPlanStore } from './plan-store.ts';
import { planView, viewOfPlan } from './plan-view.ts';
import { createPresentPlan } from './present-plan.ts';
import { openPlanPanel } from './terminal-panel.ts';
import { planKey, undoablePlan } from './undoable-plan.ts';

export const manifest = {
  name: 'plan',
  requires: ['chats', 'storage', 'tools'],
  optional: ['checkpoints'],
  provides: ['plans'],
  events: ['plan_updated'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { chats, checkpoints } = registry.services;
  const store = createPlanStore(registry.services);
  registry.provide('plans', () => ({ read: (chatId) => store.read(chatId) }));

  async function update({ items }: Pick<Plan, 'items'>, { chatId, turnId, callId }: ToolContext): Promise<ToolOutcome> {
    const write = (): Promise<void> => store.write(chatId, { turnId, items });
    await (checkpoints ? checkpoints.changing({ chatId, turnId, callId }, 'plan', [planKey], write) : write());
    emitter.emit('plan_updated', { chatId, turnId, items });
    return items.length === 0 ? { ok: true, output: 'Plan cleared.' } : { ok: true, output: planText({ items }), view: viewOfPlan({ items }) };
  }

  registry.add('tool', {
    name: 'update_plan',
    description:
      'Writes the plan shown to the user: all steps, in order, each pending, active or done. Pass the whole list each time. ' +
      'Use it for multi-step work and keep it current; an empty list clears it.',
    input: updatePlanInput,
    // The tool changes only its own list, so it needs no approval.
    effects: ['read'],
    replay: 'idempotent',
    run: update,
  });
  const presenting = createPresentPlan(registry.services);
  registry.add('tool', presenting.tool);
  emitter.tap('prompt.build', presenting.describe);
  emitter.tap('model.request', presenting.offer);
  emitter.tap('tool.before', presenting.guard);
  registry.add('wire_event', {
    name: 'plan_updated',
    description: 'The current plan of a chat changed; `items` is empty if the plan was removed.',
    permission: 'chats.read',
    schema: Type.Object({ chatId: Type.String(), turnId: Type.String(), items: itemsSchema }),
  });
  registry.add(
    'undoable',
    undoablePlan(store, (chatId, plan) => emitter.emit('plan_updated', { chatId, ...plan })),
  );
  registry.add('route', planRoute(store, chats));
  registry.add('view', planView(store));
  registry.add('terminal_panel', { name: 'plan', open: openPlanPanel });
  emitter.tap('prompt.build', async (prompt, turn) => (turn.isRoot ? withPlan(prompt, await store.read(turn.chatId)) : undefined));
  emitter.tap('tool.before', ({ tool, turn }) =>
    tool.plugin === 'plan' && !turn.isRoot ? { deny: 'Only the main task may change the plan; a subtask may not.' } : undefined,
  );
  emitter.tap('session.reset', async ({ chatId }) => {
    const forgotten = await store.clear(chatId);
    if (forgotten) emitter.emit('plan_updated', { chatId, turnId: forgotten.turnId, items: [] });
  });
  emitter.tap('chat.fork', async ({ from, to, turns }) => {
    const plan = await store.read(from);
    if (plan && turns.has(plan.turnId)) await store.write(to, plan);
  });
  emitter.tap('chat.close', (chatId) => store.drop(chatId));
}
