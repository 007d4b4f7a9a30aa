// Registers rule trials: shows which rules would have answered past approvals, before the user enables one.
import { lazy } from '#lib/async';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/tools';
import type { ViewContribution } from 'agent-harness/plugins/views';
import type { AskedQuestions } from './asked-questions.ts';

export const manifest = {
  name: 'rule-trials',
  requires: ['approvals', 'chats', 'eventLog', 'tools'],
  errors: {
    UNKNOWN_RULE: {
      message: "Nothing that was asked in this folder would have been answered by 'always {rule}', so there is nothing to try it on.",
      status: 404,
    },
  },
} as const satisfies PluginManifest;

type View = Required<Pick<ViewContribution, 'read' | 'act'>>;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { approvals, chats, eventLog, tools } = registry.services;
  let asked: AskedQuestions | undefined;
  const load = async (): Promise<View> => {
    const [{ createAskedQuestions }, { rulesView }] = await Promise.all([import('./asked-questions.ts'), import('./rules-view.ts')]);
    asked = createAskedQuestions(chats, eventLog);
    return rulesView({ asked, rules: approvals.rules, chats, tools, unknownRule: (rule) => registry.error('UNKNOWN_RULE', { rule }) });
  };
  const view = lazy(() => load());
  registry.add('view', {
    name: 'rules',
    title: 'Rules',
    description: 'Which calls are let through without asking in this folder, and which rules would have spared you questions.',
    icon: 'list',
    // The page shows the view beside the mode of a chat.
    place: 'none',
    permission: 'approvals.read',
    changesOn: ['approval_decision'],
    read: async (context) => (await view()).read(context),
    act: async (call, context) => (await view()).act(call, context),
  });
  emitter.on('approval_decision', ({ chatId }) => asked?.forget(chatId));
  emitter.tap('chat.erase', ({ chatId }) => asked?.forget(chatId));
}
