// Serves POST /api/approve, POST /api/answer and GET /api/pending.
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Principal, Route } from 'agent-harness/plugins/http';
import { decisionNames, eventSchemas } from 'agent-harness/transcript/events';
import type { ApprovalQueue } from './approval-queue.ts';
import type { Approvals } from './contract.ts';
import type { QuestionQueue } from './question-queue.ts';

const okSchema = Type.Object({ ok: Type.Boolean() });
const approveSchema = {
  body: Type.Object(
    {
      approvalId: Type.String({ maxLength: 200 }),
      decision: decisionNames,
      args: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'For `edit`: the complete edited arguments of the call.' })),
      reason: Type.Optional(Type.String({ maxLength: 10_000, description: 'Reason for the decision, which the model reads.' })),
      unattended: Type.Optional(Type.Literal(true, { description: 'For `reject`: no user was present to decide. The model is informed.' })),
      rehearsal: Type.Optional(
        Type.String({
          maxLength: 200,
          description:
            'For `approve`: id of the displayed preview, which is applied instead of running the call. `none`: the call runs. Omitted: a preview that is ready is applied; without one, the call runs.',
        }),
      ),
      remember: Type.Optional(
        Type.Union([Type.Literal('once'), Type.Literal('chat'), Type.Literal('workspace')], {
          description: 'Scope of the decision: only this call (`once`), this chat, or all chats of its workspace (only for approvals by the owner).',
        }),
      ),
      kind: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'For a remembered approval: the kind of call to which it applies, one of `kinds`. Default: exactly this call.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: okSchema,
};
const answerSchema = {
  body: Type.Object({ askId: Type.String({ maxLength: 200 }), answer: Type.String({ maxLength: 200_000 }) }, { additionalProperties: false }),
  reply: okSchema,
};
const pendingSchema = {
  query: Type.Object(
    { chatId: Type.Optional(Type.String({ description: 'Id of a chat, or `all`; default: the active chat.' })) },
    { additionalProperties: false },
  ),
  reply: Type.Object({ approvals: Type.Array(eventSchemas.tool_approval), questions: Type.Array(eventSchemas.ask_user) }),
};

/** Checks an answer before it takes effect. Rejects if a plugin does not accept the answer yet. */
export type MayAnswer = (kind: 'approval' | 'question', id: string, principal: Principal | undefined) => Promise<void>;

export function approveRoute(queue: ApprovalQueue, mayAnswer: MayAnswer): Route<typeof approveSchema> {
  return {
    key: 'POST /api/approve',
    command: 'approve',
    summary: 'Decides a pending approval of a tool call.',
    tag: 'approvals',
    permission: 'approvals.write',
    schema: approveSchema,
    async handle({ body: { approvalId, ...decision }, principal }) {
      await mayAnswer('approval', approvalId, principal);
      await queue.decide(approvalId, { ...decision, ...(principal ? { principal } : {}) });
      return { ok: true };
    },
  };
}

export function answerRoute(queue: QuestionQueue, mayAnswer: MayAnswer): Route<typeof answerSchema> {
  return {
    key: 'POST /api/answer',
    command: 'answer',
    summary: 'Answers a question of the model, in free text or with one of its options.',
    tag: 'approvals',
    permission: 'approvals.write',
    schema: answerSchema,
    async handle({ body, principal }) {
      await mayAnswer('question', body.askId, principal);
      await queue.answer(body.askId, body.answer, principal);
      return { ok: true };
    },
  };
}

export function pendingRoute(approvals: Approvals, services: { readonly chats: Chats }): Route<typeof pendingSchema> {
  return {
    key: 'GET /api/pending',
    summary: 'Lists the pending approvals and questions.',
    tag: 'approvals',
    permission: 'approvals.read',
    schema: pendingSchema,
    async handle({ query }) {
      if (query.chatId === 'all') return approvals.pending() as never;
      const chatId = query.chatId === undefined ? services.chats.activeId : (await services.chats.get(query.chatId)).chatId;
      return (chatId === undefined ? { approvals: [], questions: [] } : approvals.pending(chatId)) as never;
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'POST /api/approve': typeof approveSchema;
    'POST /api/answer': typeof answerSchema;
    'GET /api/pending': typeof pendingSchema;
  }
}
