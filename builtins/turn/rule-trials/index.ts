// Registers dry runs of rules, which show the approvals that a rule would have answered before the user enables the rule.
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
      message: "The rule 'always {rule}' would not have answered any past approval in this folder, so it cannot be tried.",
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
    description: 'Lists the calls that run without approval in this folder, and rules that would have avoided approvals.',
    icon: 'list',
    // The page opens the view from the mode menu of a chat.
    place: 'none',
    permission: 'approvals.read',
    changesOn: ['approval_decision'],
    read: async (context) => (await view()).read(context),
    act: async (call, context) => (await view()).act(call, context),
  });
  emitter.on('approval_decision', ({ chatId }) => asked?.forget(chatId));
  emitter.tap('chat.erase', ({ chatId }) => asked?.forget(chatId));
}
