// `GET /api/models`, and a key of the provider that a person types: it is tried, used, and never told or written.
import * as Type from 'typebox';
import type { Route } from 'agent-harness/plugins/http';
import type { ModelList, Models } from './contract.ts';

const listed = Type.Array(
  Type.Object({
    id: Type.String(),
    name: Type.Optional(Type.String()),
    contextLength: Type.Optional(Type.Integer({ description: 'Tokens.' })),
    price: Type.Optional(Type.Object({ input: Type.Number(), output: Type.Number() }, { description: 'USD for a million tokens.' })),
    takesAudio: Type.Optional(Type.Boolean({ description: 'It hears sound in messages.' })),
  }),
);
const listReply = Type.Object({
  models: listed,
  reason: Type.Optional(Type.String({ description: 'Why there are none.' })),
  current: Type.String({ description: 'The configured model; a chat may have its own.' }),
});
const keyBody = Type.Object(
  {
    key: Type.String({ minLength: 1, maxLength: 4096, pattern: '^[\\x21-\\x7e]+$' }),
    baseURL: Type.Optional(
      Type.String({ maxLength: 2048, pattern: '^https?://[^\\s@]+$', description: 'Root of the provider; the configured one when left out.' }),
    ),
    model: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  },
  { additionalProperties: false },
);
const keyReply = Type.Object({
  ok: Type.Boolean(),
  models: Type.Optional(listed),
  keepLine: Type.String({ description: 'What to put into `.env` of the home folder, with the key in the place of `<key>`.' }),
});
const okReply = Type.Object({ ok: Type.Boolean() });

export function modelRoutes(models: Models): Route[] {
  const list: Route<{ reply: typeof listReply }> = {
    key: 'GET /api/models',
    summary: 'The models that the configured endpoint offers, at most 10 minutes old.',
    tag: 'models',
    permission: 'server.read',
    schema: { reply: listReply },
    handle: async () => changeable(await models.list()),
  };
  const useKey: Route<{ body: typeof keyBody; reply: typeof keyReply }> = {
    key: 'POST /api/provider/key',
    summary: 'Tries a key of the model provider and uses it until the server ends.',
    tag: 'models',
    schema: { body: keyBody, reply: keyReply },
    async handle({ body }) {
      const { baseURL } = body;
      const typed = { ...body, ...(baseURL === undefined ? {} : { baseURL: baseURL.replace(/\/+$/, '') }) };
      const found = await models.useKey(typed);
      return { ok: true, keepLine: models.keepLine(typed), ...(found.length > 0 ? { models: [...found] } : {}) };
    },
  };
  const forgetKey: Route<{ reply: typeof okReply }> = {
    key: 'DELETE /api/provider/key',
    summary: 'Forgets a key that was typed.',
    tag: 'models',
    schema: { reply: okReply },
    async handle() {
      models.forgetKey();
      return { ok: true };
    },
  };
  return [list, useKey, forgetKey] as Route[];
}

const changeable = ({ models, ...rest }: ModelList): Omit<ModelList, 'models'> & { models: ModelList['models'][number][] } => ({
  models: [...models],
  ...rest,
});
