// Registers data flow rules: a call whose text contains a secret or external content requires an approval that names the content and its origin.
import { lazy } from '#lib/async';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/files';
import type {} from 'agent-harness/builtins/turn/origins';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/tools';
import type { ViewContribution } from 'agent-harness/plugins/views';
import { routeOf } from './destinations.ts';
import { createFlowTable } from './flow-table.ts';
import type { FlowJudge } from './judge-flow.ts';

export const manifest = {
  name: 'flow-rules',
  requires: ['eventLog', 'origins', 'product', 'storage', 'tools'],
  optional: ['steeringFiles'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { eventLog, origins, product, storage, steeringFiles: steering, tools } = registry.services;
  const table = createFlowTable({ storage, product });
  let open: FlowJudge | undefined;
  const load = lazy(() => import('./judge-flow.ts').then(({ createFlowJudge }) => (open = createFlowJudge({ eventLog, origins, steering, table, tools }))));

  registry.add('approval_rule', {
    name: 'flow-rules',
    decide: async (call) => (routeOf(call, steering) === undefined ? undefined : (await load()).decide(call)),
  });
  const view = async (): Promise<Required<Pick<ViewContribution, 'read' | 'act'>>> => (await import('./flow-view.ts')).flowView(table);
  registry.add('view', {
    name: 'flow-rules',
    title: 'Data flow rules',
    description:
      'Defines whether a call may send text from secrets, external content or other people to an address, a command, the memory or an external service.',
    icon: 'list',
    place: 'none',
    permission: 'approvals.read',
    read: async (context) => (await view()).read(context),
    act: async (call, context) => (await view()).act(call, context),
  });
  emitter.tap('tool.after', (_, call) => open?.ended(call));
  emitter.tap('session.reset', ({ chatId }) => open?.forget(chatId));
  emitter.tap('chat.close', (chatId) => open?.forget(chatId));
}
