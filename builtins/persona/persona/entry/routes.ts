// Serves the persona's HTTP routes.
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { PersonaState } from '../contract.ts';
import { livingLines } from '../living.ts';
import type { OpenPersona } from '../open-persona.ts';
import type { MakeError } from '../persona-parts.ts';
import {
  bootstrapSchema,
  chatSchema,
  editSchema,
  historySchema,
  outsideSchema,
  readSchema,
  restoreSchema,
  revertSchema,
  themeSchema,
  versionsSchema,
} from './schemas.ts';

export interface RouteParts {
  readonly chats: Chats;
  readonly error: MakeError;
  open(): Promise<OpenPersona>;
}

const tag = 'persona';

export function createRoutes({ chats, error, open }: RouteParts): Route[] {
  /** Returns only an existing chat, because requesting the active chat would create the first one. */
  async function shown(state: PersonaState, chatId?: string): Promise<object> {
    const { chatSwitch } = await open();
    const asked = chatId === undefined ? chats.activeId : (await chats.get(chatId)).chatId;
    const slices = state.slices.map((slice) => (slice.name === 'living' ? { ...slice, lines: livingLines(slice.text) } : slice));
    return { ...state, slices, chat: { off: asked !== undefined && (await chatSwitch.isOff(asked)) } };
  }

  return [
    route({
      key: 'GET /api/persona',
      summary: 'Returns the active persona, edits that wait for the user, and whether a persona is being created.',
      ...{ tag, permission: 'persona.read', schema: readSchema },
      handle: async ({ query }) => (await shown(await (await open()).service.read(), query.chatId)) as never,
    }),
    route({
      key: 'POST /api/persona/bootstrap',
      summary: 'Creates a persona from one sentence, or skips the question. Events report the result.',
      ...{ tag, permission: 'persona.manage', schema: bootstrapSchema, status: 202, waitsForReady: true },
      async handle({ body: { input, skip } }) {
        if ((input === undefined) === (skip === undefined)) throw error('INVALID_REQUEST', { why: "either 'input' or 'skip' is needed" });
        const { bootstrap, begin } = await open();
        await (input === undefined ? bootstrap.skip() : begin(input));
        return { ok: true as const };
      },
    }),
    route({
      key: 'GET /api/persona/history',
      summary: 'Lists the versions of the persona, newest first.',
      ...{ tag, permission: 'persona.read', schema: versionsSchema },
      handle: async () => ({ versions: [...(await (await open()).service.versions())] }),
    }),
    route({
      key: 'POST /api/persona/revert',
      summary: 'Restores a version of the whole persona as a new revision.',
      ...{ tag, permission: 'persona.manage', schema: restoreSchema },
      handle: async ({ body }) => (await shown(await (await open()).service.restore(body.version))) as never,
    }),
    route({
      key: 'PUT /api/persona/slices/:name',
      summary: 'Changes the text of a part if its revision is unchanged.',
      ...{ tag, permission: 'persona.manage', schema: editSchema },
      handle: async ({ params: { name }, body }) => (await shown(await (await open()).service.edit(name, body))) as never,
    }),
    route({
      key: 'GET /api/persona/slices/:name/history',
      summary: 'Lists the versions of a part, newest first.',
      ...{ tag, permission: 'persona.read', schema: historySchema },
      handle: async ({ params: { name } }) => ({ versions: [...(await (await open()).service.history(name))] }),
    }),
    route({
      key: 'POST /api/persona/slices/:name/revert',
      summary: 'Restores a version of a part as a new revision.',
      ...{ tag, permission: 'persona.manage', schema: revertSchema },
      handle: async ({ params: { name }, body }) => (await shown(await (await open()).service.revert(name, body.version))) as never,
    }),
    route({
      key: 'POST /api/persona/slices/:name/outside',
      summary: 'Accepts a text that another program wrote to the file of a part, or replaces it with the active text.',
      ...{ tag, permission: 'persona.manage', schema: outsideSchema },
      handle: async ({ params: { name }, body: { hash, take } }) =>
        (await shown(await (await open()).service.decideOutside(name, { hash, isTaken: take }))) as never,
    }),
    route({
      key: 'PUT /api/persona/theme',
      summary: 'Sets the theme of the persona; null removes it.',
      ...{ tag, permission: 'persona.manage', schema: themeSchema },
      handle: async ({ body }) => (await shown(await (await open()).service.setTheme(body.theme))) as never,
    }),
    route({
      key: 'PUT /api/persona/chat',
      summary: 'Switches the persona off or on in one chat.',
      ...{ tag, permission: 'persona.write', schema: chatSchema },
      async handle({ body: { chatId, off } }) {
        const chat = await chats.get(chatId);
        await (await open()).chatSwitch.set(chat.chatId, off);
        return { chatId: chat.chatId, off };
      },
    }),
  ];
}

/** Checks each handler against its own schema; the returned type erases the schema. */
function route<S extends Route['schema']>(one: Route<S>): Route {
  return one;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/persona': typeof readSchema;
    'POST /api/persona/bootstrap': typeof bootstrapSchema;
    'GET /api/persona/history': typeof versionsSchema;
    'POST /api/persona/revert': typeof restoreSchema;
    'PUT /api/persona/slices/:name': typeof editSchema;
    'GET /api/persona/slices/:name/history': typeof historySchema;
    'POST /api/persona/slices/:name/revert': typeof revertSchema;
    'POST /api/persona/slices/:name/outside': typeof outsideSchema;
    'PUT /api/persona/theme': typeof themeSchema;
    'PUT /api/persona/chat': typeof chatSchema;
  }
}
