// Serves GET /api/approval-rules and DELETE /api/approval-rules/:id.
import { textStart } from '#lib/text';
import * as Type from 'typebox';
import type { KernelError } from 'agent-harness/kernel';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import { wordsOf, type RememberedRules } from './remembered-rules.ts';

const listSchema = {
  query: Type.Object({ chatId: Type.Optional(Type.String({ description: 'Id of the chat; default: the active chat.' })) }, { additionalProperties: false }),
  reply: Type.Object({
    rules: Type.Array(
      Type.Object({
        id: Type.String(),
        scope: Type.Union([Type.Literal('chat'), Type.Literal('workspace'), Type.Literal('everywhere')]),
        decision: Type.Union([Type.Literal('approve'), Type.Literal('reject')]),
        tool: Type.String(),
        subject: Type.String({ description: 'Calls to which the rule applies: the command, or every call of the tool.' }),
        words: Type.String({ description: 'The rule as text: always … in this folder.' }),
        since: Type.String({ description: 'Time of the decision, ISO 8601.' }),
        answered: Type.Integer({ description: 'Number of calls that the rule has decided.' }),
        lastAt: Type.Optional(Type.String({ description: 'Time of the last call that the rule decided, ISO 8601.' })),
      }),
    ),
  }),
};
const removeSchema = {
  params: Type.Object({ id: Type.String({ maxLength: 200 }) }),
  reply: Type.Object({ ok: Type.Boolean() }),
};

export function listRulesRoute(rules: Pick<RememberedRules, 'list'>, services: { readonly chats: Chats }): Route<typeof listSchema> {
  return {
    key: 'GET /api/approval-rules',
    summary: 'Lists the approval rules of a chat, its workspace and all folders, with their number of uses.',
    tag: 'approvals',
    permission: 'approvals.read',
    schema: listSchema,
    async handle({ query }) {
      const found = await rules.list(await services.chats.peek(query.chatId));
      return { rules: found.map(({ key: _, ...rule }) => ({ ...rule, words: wordsOf(rule) })) };
    },
  };
}

export function removeRuleRoute(rules: Pick<RememberedRules, 'remove'>, unknownRule: (id: string) => KernelError): Route<typeof removeSchema> {
  return {
    key: 'DELETE /api/approval-rules/:id',
    summary: 'Removes an approval rule. Later calls need an approval again.',
    tag: 'approvals',
    permission: 'approvals.write',
    schema: removeSchema,
    async handle({ params }) {
      if (!(await rules.remove(params.id))) throw unknownRule(textStart(params.id, 64));
      return { ok: true };
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/approval-rules': typeof listSchema;
    'DELETE /api/approval-rules/:id': typeof removeSchema;
  }
}
