// Serves the model routes, which list models and providers, and accept, test and use a provider key from the user; the key is never returned or stored.
import * as Type from 'typebox';
import { normalizeBaseUrl, normalizeKey, tryNormalize } from '#lib/setting-texts';
import type { Route } from 'agent-harness/plugins/http';
import type { LocalEndpoint, ModelList, Models, TypedKey } from './contract.ts';
import { knownProvider, providerAt, providers } from './providers.ts';

const listed = Type.Array(
  Type.Object({
    id: Type.String(),
    name: Type.Optional(Type.String()),
    contextLength: Type.Optional(Type.Integer({ description: 'Context window in tokens.' })),
    price: Type.Optional(Type.Object({ input: Type.Number(), output: Type.Number() }, { description: 'Price in USD per million tokens.' })),
    takesAudio: Type.Optional(Type.Boolean({ description: 'Whether the model accepts audio in messages.' })),
  }),
);
const listReply = Type.Object({
  models: listed,
  reason: Type.Optional(Type.String({ description: 'Reason why the list is empty.' })),
  current: Type.String({ description: 'The configured model. A chat may have its own model.' }),
});
const keyBody = Type.Object(
  {
    key: Type.String({ minLength: 1, maxLength: 4096 }),
    baseURL: Type.Optional(Type.String({ maxLength: 2048, pattern: '^[^@]*$', description: 'Base URL of the provider; default: the configured URL.' })),
    model: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  },
  { additionalProperties: false },
);
const keyReply = Type.Object({
  ok: Type.Boolean(),
  models: Type.Optional(listed),
  keepLine: Type.String({ description: 'Line for `.env` in the home folder that stores the key, with the placeholder `<key>`.' }),
});
const known = Type.Object({
  id: Type.String(),
  title: Type.String(),
  baseURL: Type.String(),
  keysPage: Type.String({ description: 'Web page on which the user creates a key.' }),
  creditPage: Type.String({ description: 'Web page on which the user adds credit.' }),
});
const providerReply = Type.Object({
  route: Type.String({ description: 'Current adapter: `chat-completions`, `messages`, `demo`, `managed`, …' }),
  model: Type.String(),
  baseURL: Type.String(),
  apiKeyConfigured: Type.Boolean(),
  shutdown: Type.Optional(
    Type.Object(
      { model: Type.String(), on: Type.String({ description: 'Date of the shutdown, ISO 8601.' }), successor: Type.Optional(Type.String()) },
      { description: 'The shutdown of the configured model, if it is past or due within 30 days.' },
    ),
  ),
  provider: Type.Optional(Type.String({ description: 'Id in `providers` of the provider to which the configured address belongs.' })),
  providers: Type.Array(known),
});
const localReply = Type.Object({ endpoints: Type.Array(Type.Object({ title: Type.String(), baseURL: Type.String(), models: listed })) });
const okReply = Type.Object({ ok: Type.Boolean() });

/** Creates the error of an invalid entered value. @param why reason that completes a sentence */
export type Invalid = (field: string, why: string) => Error;

/** Normalizes the entered values for requests; omits empty ones. Throws the result of `invalid`. */
export function readTyped({ key: text = '', baseURL: address = '', model }: Partial<TypedKey>, invalid: Invalid): Partial<TypedKey> {
  const normalized = (field: string, normalize: (given: string) => string, given: string): string => {
    const { text: normal = '', fault } = tryNormalize(normalize, given);
    if (fault !== undefined) throw invalid(field, fault);
    return normal;
  };
  const key = normalized('key', normalizeKey, text);
  const baseURL = normalized('base URL', normalizeBaseUrl, address);
  return { ...(key === '' ? {} : { key }), ...(baseURL === '' ? {} : { baseURL }), ...(model === undefined ? {} : { model }) };
}

export function modelRoutes(models: Models, invalid: Invalid): Route[] {
  const list: Route<{ reply: typeof listReply }> = {
    key: 'GET /api/models',
    summary: 'Lists the models of the configured endpoint. The list is at most 10 minutes old.',
    tag: 'models',
    permission: 'models.read',
    schema: { reply: listReply },
    handle: async () => changeable(await models.list()),
  };
  const useKey: Route<{ body: typeof keyBody; reply: typeof keyReply }> = {
    key: 'POST /api/provider/key',
    summary: 'Tests a key of a model provider, and uses it until the server stops.',
    tag: 'models',
    schema: { body: keyBody, reply: keyReply },
    async handle({ body }) {
      const { key, ...endpoint } = readTyped(body, invalid);
      if (key === undefined) throw invalid('key', 'is empty.');
      const typed = { key, ...endpoint };
      const found = await models.useKey(typed);
      return { ok: true, keepLine: models.keepLine(typed), ...(found.length > 0 ? { models: [...found] } : {}) };
    },
  };
  const forgetKey: Route<{ reply: typeof okReply }> = {
    key: 'DELETE /api/provider/key',
    summary: 'Removes the entered key.',
    tag: 'models',
    schema: { reply: okReply },
    async handle() {
      models.forgetKey();
      return { ok: true };
    },
  };
  const provider: Route<{ reply: typeof providerReply }> = {
    key: 'GET /api/provider',
    summary: 'Returns the current model and the known providers.',
    tag: 'models',
    permission: 'settings.read',
    schema: { reply: providerReply },
    async handle() {
      const { wire, model, baseURL, apiKey } = await models.routeNow();
      const found = wire === 'demo' ? undefined : providerAt(baseURL);
      const { shutdown } = models.facts();
      return {
        ...{ route: wire, model, baseURL, apiKeyConfigured: apiKey !== undefined, providers: providers.map(knownProvider) },
        ...(found ? { provider: found.id } : {}),
        ...(shutdown ? { shutdown } : {}),
      };
    },
  };
  const local: Route<{ reply: typeof localReply }> = {
    key: 'GET /api/provider/local',
    summary: 'Finds model servers on localhost, at the ports in the settings.',
    tag: 'models',
    schema: { reply: localReply },
    handle: async () => ({ endpoints: (await models.localEndpoints()).map(changeable) }),
  };
  return [list, provider, local, useKey, forgetKey] as Route[];
}

const changeable = <T extends ModelList | LocalEndpoint>({ models, ...rest }: T): Omit<T, 'models'> & { models: T['models'][number][] } => ({
  models: [...models],
  ...rest,
});

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/models': { reply: typeof listReply };
    'POST /api/provider/key': { body: typeof keyBody; reply: typeof keyReply };
    'DELETE /api/provider/key': { reply: typeof okReply };
    'GET /api/provider': { reply: typeof providerReply };
    'GET /api/provider/local': { reply: typeof localReply };
  }
}
