// Serves the content of a workspace that needs trust, and accepts the user's decision about it.
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { Trust } from './contract.ts';

const subjectName = Type.String({ pattern: '^[a-z][a-z0-9-]{0,63}$' });
const digest = Type.String({ pattern: '^[0-9a-f]{64}$' });
const subject = Type.Object({
  name: Type.String(),
  title: Type.String(),
  detail: Type.String(),
  digest: Type.String(),
  isTrusted: Type.Boolean(),
  isListedOnly: Type.Optional(Type.Boolean({ description: 'Set if clients list the finding without announcing it.' })),
});
const rows = Type.Object({
  workspaceRoot: Type.String(),
  subjects: Type.Array(subject),
});
const readSchema = { query: Type.Object({ chatId: Type.Optional(Type.String()) }, { additionalProperties: false }), reply: rows };
const decideSchema = {
  body: Type.Object({ chatId: Type.Optional(Type.String()), name: subjectName, digest, isTrusted: Type.Boolean() }, { additionalProperties: false }),
  reply: rows,
};

type MakeError = (reason: 'NOT_FOUND' | 'CHANGED', details: { readonly name: string }) => Error;

export function createTrustRoutes(trust: Trust, chats: Chats, makeError: MakeError): Route[] {
  const rowsOf = async (workspaceRoot: string) => ({ workspaceRoot, subjects: await trust.rows(workspaceRoot) });
  const read: Route<typeof readSchema> = {
    key: 'GET /api/workspace/trust',
    summary: "Lists the content in a chat's workspace that needs trust: instructions, programs to start.",
    tag: 'workspace',
    schema: readSchema,
    handle: async ({ query }) => rowsOf((await chats.peek(query.chatId)).workspaceRoot),
  };
  const decide: Route<typeof decideSchema> = {
    key: 'POST /api/workspace/trust',
    summary: 'Grants trust to exactly the displayed content (by its digest), or revokes it.',
    tag: 'workspace',
    schema: decideSchema,
    async handle({ body: { chatId, name, digest: shown, isTrusted } }) {
      const { workspaceRoot } = await chats.get(chatId);
      const row = (await trust.rows(workspaceRoot)).find((one) => one.name === name);
      if (isTrusted && !row) throw makeError('NOT_FOUND', { name });
      if (isTrusted && row?.digest !== shown) throw makeError('CHANGED', { name });
      await trust.decide(workspaceRoot, name, shown, isTrusted);
      return rowsOf(workspaceRoot);
    },
  };
  return [read, decide];
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/workspace/trust': typeof readSchema;
    'POST /api/workspace/trust': typeof decideSchema;
  }
}
