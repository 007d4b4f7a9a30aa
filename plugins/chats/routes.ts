// Registers the routes of chats and the current workspace.
import { basename } from 'node:path';
import * as Type from 'typebox';
import type { Route, RouteSchema } from 'agent-harness/plugins/http';
import type { Entry, RunningTurn } from 'agent-harness/transcript';
import { entrySchema, runningSchema } from 'agent-harness/transcript/events';
import { maxTagCharacters, maxTags } from './store/chat-change.ts';
import type { Chats, MarkedEntries } from './contract.ts';
import { withMarks, type MarksOf } from './entry-marks.ts';

const mode = Type.Union([Type.Literal('scratch'), Type.Literal('folder'), Type.Literal('reuse')]);
const approvalMode = Type.Union([Type.Literal('ask'), Type.Literal('careful'), Type.Literal('plan'), Type.Literal('auto')], {
  description:
    '`ask`: asks before actions that cannot be undone. `careful`: also asks before each file edit. `plan`: only reads. `auto`: a judge model approves harmless calls.',
});
const efforts = [Type.Literal('off'), Type.Literal('low'), Type.Literal('medium'), Type.Literal('high'), Type.Literal('max')] as const;
const none = Type.Object({}, { additionalProperties: false });
const byId = Type.Object({ id: Type.String({ description: 'Id of a chat.' }) });
/** Hides the path from principals that may not read workspaces, for example a device that may only read and write messages. */
const ofWorkspace = Type.Optional(Type.String({ 'x-permission': 'workspaces.read' }));
const meta = Type.Object({
  chatId: Type.String(),
  title: Type.String(),
  workspaceMode: mode,
  workspaceRoot: ofWorkspace,
  workspaceFingerprint: ofWorkspace,
  createdAt: Type.String(),
  updatedAt: Type.String(),
  busy: Type.Boolean(),
  turns: Type.Integer(),
  mode: approvalMode,
  pinned: Type.Boolean(),
  archived: Type.Boolean(),
  tags: Type.Array(Type.String()),
  model: Type.Optional(Type.String({ description: 'Model of this chat; default: the model of the settings.' })),
  effort: Type.Optional(Type.Union([...efforts], { description: 'Reasoning effort of this chat; default: the value of the setting.' })),
  branch: Type.Optional(
    Type.Object(
      { chatId: Type.String(), turnId: Type.String(), after: Type.Optional(Type.String({ description: 'Id of the last turn that both chats share.' })) },
      { description: 'For a branch: the original chat, and the turn of it that the branch replaces.' },
    ),
  ),
  imported: Type.Optional(
    Type.Object({ from: Type.String(), id: Type.String() }, { description: 'For an imported chat: the source program and the id in it.' }),
  ),
  temporary: Type.Optional(
    Type.Literal(true, {
      description: 'A temporary chat. It is erased when it is deleted, a day after its last use, or at the next start of the server.',
    }),
  ),
});
const nullableText = Type.Union([Type.String(), Type.Null()]);

const createBody = Type.Object(
  {
    workspaceMode: Type.Optional(mode),
    workspaceRoot: Type.Optional(Type.String({ maxLength: 4096, description: 'Absolute path of the workspace; required for the modes `folder` and `reuse`.' })),
    title: Type.Optional(Type.String({ maxLength: 1000 })),
    activate: Type.Optional(Type.Boolean()),
    temporary: Type.Optional(
      Type.Boolean({
        description: 'Creates a temporary chat, which is erased when it is deleted, a day after its last use, or at the next start of the server.',
      }),
    ),
  },
  { additionalProperties: false },
);
const listQuery = Type.Object({ archived: Type.Optional(Type.Boolean({ description: 'Includes archived chats.' })) }, { additionalProperties: false });
const listReply = Type.Object({
  chats: Type.Array(meta),
  orphanIds: Type.Array(Type.String()),
  activeChatId: nullableText,
  residentChatIds: Type.Array(Type.String()),
});
const searchQuery = Type.Object({ q: Type.String({ maxLength: 1000 }), limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })) });
const searchReply = Type.Object({
  hits: Type.Array(
    Type.Object({
      ...{ chatId: Type.String(), entryId: Type.String(), at: Type.String(), excerpt: Type.String() },
      marks: Type.Optional(Type.Array(Type.String(), { description: 'Labels that plugins added to the entry.' })),
    }),
  ),
});
const changeBody = Type.Object(
  {
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    model: Type.Optional(
      Type.Union([Type.String({ maxLength: 300 }), Type.Null()], {
        description: "The provider's name of the model; `null`: use the model of the settings.",
      }),
    ),
    effort: Type.Optional(Type.Union([...efforts, Type.Null()], { description: 'Reasoning effort; `null`: use the value of the setting.' })),
    mode: Type.Optional(approvalMode),
    pinned: Type.Optional(Type.Boolean()),
    archived: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(Type.String({ maxLength: maxTagCharacters }), { maxItems: maxTags })),
  },
  { additionalProperties: false, minProperties: 1 },
);
const forkBody = Type.Object(
  {
    atTurn: Type.Optional(Type.String({ description: 'Id of the last turn to copy; default: all turns.' })),
    beforeTurn: Type.Optional(Type.String({ description: 'Instead of `atTurn`: creates a branch, which ends before this turn.' })),
  },
  { additionalProperties: false },
);
const pageQuery = Type.Object({ before: Type.Optional(Type.String()), limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 2000 })) });
const pageReply = Type.Object({
  running: Type.Optional(Type.Unsafe<RunningTurn>(runningSchema)),
  entries: Type.Unsafe<readonly Entry[]>(Type.Array(entrySchema)),
  cursor: Type.Optional(Type.String()),
  upTo: Type.Optional(Type.Integer({ description: 'Id of the newest event in the page. Clients continue the event stream after it.' })),
  marks: Type.Optional(
    Type.Unsafe<readonly MarkedEntries[]>(
      Type.Array(Type.Object({ label: Type.String(), ids: Type.Array(Type.String()) }), {
        description:
          'Labels that plugins added to messages and calls of the whole chat, with the ids of these entries. Only on the newest page, and only if labels exist.',
      }),
    ),
  ),
});
const chatQuery = Type.Object({ chatId: Type.Optional(Type.String()) });
const workspaceReply = Type.Object({ chatId: Type.String(), workspaceRoot: ofWorkspace, workspaceFingerprint: ofWorkspace, basename: Type.String() });
const trashReply = Type.Object({
  chats: Type.Array(
    Type.Object({
      chatId: Type.String(),
      title: Type.String(),
      workspaceRoot: ofWorkspace,
      turns: Type.Integer(),
      deletedAt: Type.String(),
      daysLeft: Type.Integer({ description: 'Days until the chat is deleted permanently, rounded down.' }),
    }),
  ),
});
const removeReply = Type.Object({ ok: Type.Boolean(), newActiveId: nullableText });

function route<S extends RouteSchema>(one: Omit<Route<S>, 'tag'>): Route {
  return { ...one, tag: 'chats' };
}

const deleteChatsTrashSchema = { params: byId, reply: Type.Object({ ok: Type.Boolean() }) };

/**
 * Returns the routes of chats.
 * @param chats returns the service; called for each request
 * @param marksOf returns the annotations of a chat's entries
 */
export function listRoutes(chats: () => Chats, marksOf: MarksOf): Route[] {
  return [...collectionRoutes(chats, marksOf), ...trashRoutes(chats), ...chatRoutes(chats, marksOf)];
}

function collectionRoutes(chats: () => Chats, marksOf: MarksOf): Route[] {
  return [
    route({
      key: 'GET /api/chats',
      permission: 'chats.read',
      summary: 'Lists the chats: pinned ones first, then the newest.',
      schema: { query: listQuery, reply: listReply },
      handle: ({ query }) => chats().list(query),
    }),
    route({
      key: 'POST /api/chats',
      command: 'create_chat',
      permission: 'chats.manage',
      isCompiledEarly: true,
      summary: 'Creates a chat.',
      schema: { body: createBody, reply: meta },
      status: 201,
      handle: ({ body }) => chats().create(body),
    }),
    route({
      key: 'GET /api/chats/search',
      command: 'search_chats',
      permission: 'chats.read',
      summary: 'Searches the messages of all chats.',
      schema: { query: searchQuery, reply: searchReply },
      handle: async ({ query }) => ({ hits: await withMarks(await chats().search(query.q, query.limit), marksOf) }),
    }),
  ];
}

function trashRoutes(chats: () => Chats): Route[] {
  return [
    route({
      key: 'DELETE /api/chats/:id',
      command: 'delete_chat',
      permission: 'chats.manage',
      summary: 'Moves a chat to the trash, where it stays for 30 days.',
      schema: { params: byId, reply: removeReply },
      handle: async ({ params }) => ({ ok: true, ...(await chats().remove(params.id)) }),
    }),
    route({
      key: 'GET /api/chats/trash',
      permission: 'chats.manage',
      summary: 'Lists the deleted chats, most recently deleted first.',
      schema: { reply: trashReply },
      handle: async () => ({ chats: await chats().trash() }),
    }),
    route({
      key: 'POST /api/chats/trash/:id/restore',
      permission: 'chats.manage',
      summary: 'Restores a deleted chat from the trash.',
      schema: { params: byId, body: none, reply: meta },
      handle: ({ params }) => chats().restore(params.id),
    }),
    route({
      key: 'DELETE /api/chats/trash/:id',
      permission: 'chats.manage',
      summary: 'Permanently deletes a chat that is in the trash.',
      schema: deleteChatsTrashSchema,
      async handle({ params }) {
        await chats().erase(params.id);
        return { ok: true };
      },
    }),
  ];
}

function chatRoutes(chats: () => Chats, marksOf: MarksOf): Route[] {
  return [
    route({
      key: 'GET /api/chats/:id',
      command: 'chat',
      permission: 'chats.read',
      summary: 'Returns one chat.',
      schema: { params: byId, reply: meta },
      handle: ({ params }) => chats().get(params.id),
    }),
    route({
      key: 'PATCH /api/chats/:id',
      command: 'update_chat',
      permission: 'chats.manage',
      summary: 'Changes the title, model, reasoning effort, mode or tags of a chat, pins it, or archives it.',
      schema: { params: byId, body: changeBody, reply: meta },
      handle: ({ params, body }) => chats().change(params.id, body),
    }),
    route({
      key: 'POST /api/chats/:id/activate',
      command: 'activate_chat',
      permission: 'chats.manage',
      summary: 'Makes a chat the active one.',
      schema: { params: byId, body: none, reply: meta },
      handle: ({ params }) => chats().activate(params.id),
    }),
    route({
      key: 'POST /api/chats/:id/fork',
      command: 'fork_chat',
      permission: 'chats.write',
      summary: 'Copies a chat up to and including a turn, or creates a branch that ends before a turn.',
      schema: { params: byId, body: forkBody, reply: meta },
      status: 201,
      handle: ({ params, body: { atTurn, beforeTurn } }) =>
        beforeTurn === undefined ? chats().fork(params.id, atTurn) : chats().branch(params.id, beforeTurn),
    }),
    route({
      key: 'GET /api/chats/:id/transcript',
      command: 'transcript',
      permission: 'chats.read',
      summary: "Returns the newest page of a chat's transcript, or the page before a cursor.",
      schema: { params: byId, query: pageQuery, reply: pageReply },
      async handle({ params, query }) {
        const page = await chats().transcript(params.id, query);
        // Read after the page, because later changes arrive as events.
        const marks = query.before === undefined ? await marksOf(params.id) : [];
        return marks.length === 0 ? page : { ...page, marks };
      },
    }),
    route({
      key: 'GET /api/workspace/current',
      command: 'workspace',
      permission: 'chats.read',
      summary: 'Returns the workspace of a chat.',
      schema: { query: chatQuery, reply: workspaceReply },
      handle: async ({ query }) => {
        const { chatId, workspaceRoot, workspaceFingerprint } = await chats().peek(query.chatId);
        return { chatId, workspaceRoot, workspaceFingerprint, basename: basename(workspaceRoot) };
      },
    }),
  ];
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/chats': { query: typeof listQuery; reply: typeof listReply };
    'POST /api/chats': { body: typeof createBody; reply: typeof meta };
    'GET /api/chats/search': { query: typeof searchQuery; reply: typeof searchReply };
    'GET /api/chats/trash': { reply: typeof trashReply };
    'POST /api/chats/trash/:id/restore': { params: typeof byId; body: typeof none; reply: typeof meta };
    'DELETE /api/chats/trash/:id': typeof deleteChatsTrashSchema;
    'GET /api/chats/:id': { params: typeof byId; reply: typeof meta };
    'PATCH /api/chats/:id': { params: typeof byId; body: typeof changeBody; reply: typeof meta };
    'DELETE /api/chats/:id': { params: typeof byId; reply: typeof removeReply };
    'POST /api/chats/:id/activate': { params: typeof byId; body: typeof none; reply: typeof meta };
    'POST /api/chats/:id/fork': { params: typeof byId; body: typeof forkBody; reply: typeof meta };
    'GET /api/chats/:id/transcript': { params: typeof byId; query: typeof pageQuery; reply: typeof pageReply };
    'GET /api/workspace/current': { query: typeof chatQuery; reply: typeof workspaceReply };
  }
}
