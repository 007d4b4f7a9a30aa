// Registers the routes of chats and the current workspace.
import { basename } from 'node:path';
import * as Type from 'typebox';
import type { Route, RouteSchema } from 'agent-harness/plugins/http';
import type { Entry, RunningTurn } from 'agent-harness/transcript';
import { entrySchema, runningSchema } from 'agent-harness/transcript/events';
import { longestTag, mostTags } from './store/chat-change.ts';
import type { Chats, MarkedEntries } from './contract.ts';
import { labelsOf } from './entry-marks.ts';

const mode = Type.Union([Type.Literal('scratch'), Type.Literal('folder'), Type.Literal('reuse')]);
const approvalMode = Type.Union([Type.Literal('ask'), Type.Literal('careful'), Type.Literal('plan'), Type.Literal('auto')], {
  description:
    '`ask`: asks before actions that cannot be undone. `careful`: also asks before each file edit. `plan`: only reads. `auto`: a judge model approves harmless calls.',
});
const efforts = [Type.Literal('off'), Type.Literal('low'), Type.Literal('medium'), Type.Literal('high'), Type.Literal('max')] as const;
const none = Type.Object({}, { additionalProperties: false });
const byId = Type.Object({ id: Type.String({ description: 'Id of a chat.' }) });
/** Only principals that may read workspaces see the path, not a device that only reads and writes messages. */
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
  model: Type.Optional(Type.String({ description: 'Answers in this chat; the one of the settings when left out.' })),
  effort: Type.Optional(Type.Union([...efforts], { description: 'Reasoning effort of this chat; the setting applies if left out.' })),
  branch: Type.Optional(
    Type.Object(
      { chatId: Type.String(), turnId: Type.String(), after: Type.Optional(Type.String({ description: 'The last turn that both have.' })) },
      { description: 'The chat that it is another way of, and the turn there that it has its own for.' },
    ),
  ),
  imported: Type.Optional(
    Type.Object({ from: Type.String(), id: Type.String() }, { description: 'The program in which it was held before, and what it is called there.' }),
  ),
  temporary: Type.Optional(
    Type.Literal(true, {
      description: 'It is not kept: it is erased when it is deleted, a day after it was used last, and with the next start of the server.',
    }),
  ),
});
const nullableText = Type.Union([Type.String(), Type.Null()]);

const createBody = Type.Object(
  {
    workspaceMode: Type.Optional(mode),
    workspaceRoot: Type.Optional(Type.String({ maxLength: 4096, description: 'Absolute; needed by `folder` and `reuse`.' })),
    title: Type.Optional(Type.String({ maxLength: 1000 })),
    activate: Type.Optional(Type.Boolean()),
    temporary: Type.Optional(
      Type.Boolean({ description: 'It is erased when it is deleted, a day after it was used last, and with the next start of the server.' }),
    ),
  },
  { additionalProperties: false },
);
const listQuery = Type.Object(
  { archived: Type.Optional(Type.Boolean({ description: 'With the archived ones; they are left out otherwise.' })) },
  { additionalProperties: false },
);
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
      marks: Type.Optional(Type.Array(Type.String(), { description: 'Labels of what plugins say of it.' })),
    }),
  ),
});
const changeBody = Type.Object(
  {
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    model: Type.Optional(
      Type.Union([Type.String({ maxLength: 300 }), Type.Null()], {
        description: 'By the name that the provider gives it; `null` for the one of the settings.',
      }),
    ),
    effort: Type.Optional(Type.Union([...efforts, Type.Null()], { description: 'How much the model reasons before it answers; `null` for the setting.' })),
    mode: Type.Optional(approvalMode),
    pinned: Type.Optional(Type.Boolean()),
    archived: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(Type.String({ maxLength: longestTag }), { maxItems: mostTags })),
  },
  { additionalProperties: false, minProperties: 1 },
);
const forkBody = Type.Object(
  {
    atTurn: Type.Optional(Type.String({ description: 'Last turn of the copy; all when left out.' })),
    beforeTurn: Type.Optional(
      Type.String({ description: 'Instead of `atTurn`: the copy ends before this turn, and is marked as another way to go on from there.' }),
    ),
  },
  { additionalProperties: false },
);
const pageQuery = Type.Object({ before: Type.Optional(Type.String()), limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 2000 })) });
const pageReply = Type.Object({
  running: Type.Optional(Type.Unsafe<RunningTurn>(runningSchema)),
  entries: Type.Unsafe<readonly Entry[]>(Type.Array(entrySchema)),
  cursor: Type.Optional(Type.String()),
  upTo: Type.Optional(Type.Integer({ description: 'Id of the newest event that is part of it: who follows the chat goes on after that one.' })),
  marks: Type.Optional(
    Type.Unsafe<readonly MarkedEntries[]>(
      Type.Array(Type.Object({ label: Type.String(), ids: Type.Array(Type.String()) }), {
        description:
          'Labels that plugins add to messages and calls of the whole chat, by their ids; only with the newest page, and left out if there are none.',
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
      daysLeft: Type.Integer({ description: 'Whole days, at least; then it goes for good.' }),
    }),
  ),
});
const removeReply = Type.Object({ ok: Type.Boolean(), newActiveId: nullableText });

function route<S extends RouteSchema>(one: Omit<Route<S>, 'tag'>): Route {
  return { ...one, tag: 'chats' };
}

const deleteChatsTrashSchema = { params: byId, reply: Type.Object({ ok: Type.Boolean() }) };

/**
 * @param chats returns the service; called for each request
 * @param marksOf returns the annotations of a chat's entries
 */
export function listRoutes(chats: () => Chats, marksOf: (chatId: string) => Promise<readonly MarkedEntries[]>): Route[] {
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
      summary: 'Makes a chat.',
      schema: { body: createBody, reply: meta },
      status: 201,
      handle: ({ body }) => chats().create(body),
    }),
    route({
      key: 'GET /api/chats/search',
      command: 'search_chats',
      permission: 'chats.read',
      summary: 'Finds a text in what was said in any chat.',
      schema: { query: searchQuery, reply: searchReply },
      handle: async ({ query }) => ({ hits: await withMarks(await chats().search(query.q, query.limit), marksOf) }),
    }),
    route({
      key: 'GET /api/chats/trash',
      permission: 'chats.manage',
      summary: 'Lists the deleted chats, the one deleted last first.',
      schema: { reply: trashReply },
      handle: async () => ({ chats: await chats().trash() }),
    }),
    route({
      key: 'POST /api/chats/trash/:id/restore',
      permission: 'chats.manage',
      summary: 'Takes a deleted chat out of the trash.',
      schema: { params: byId, body: none, reply: meta },
      handle: ({ params }) => chats().restore(params.id),
    }),
    route({
      key: 'DELETE /api/chats/trash/:id',
      permission: 'chats.manage',
      summary: 'Deletes a chat of the trash for good.',
      schema: deleteChatsTrashSchema,
      async handle({ params }) {
        await chats().erase(params.id);
        return { ok: true };
      },
    }),
    route({
      key: 'GET /api/chats/:id',
      command: 'chat',
      permission: 'chats.read',
      summary: 'Answers one chat.',
      schema: { params: byId, reply: meta },
      handle: ({ params }) => chats().get(params.id),
    }),
    route({
      key: 'PATCH /api/chats/:id',
      command: 'update_chat',
      permission: 'chats.manage',
      summary: 'Changes what a person says of a chat: title, model, reasoning effort, mode, tags, whether it is pinned or archived.',
      schema: { params: byId, body: changeBody, reply: meta },
      handle: ({ params, body }) => chats().change(params.id, body),
    }),
    route({
      key: 'DELETE /api/chats/:id',
      command: 'delete_chat',
      permission: 'chats.manage',
      summary: 'Deletes a chat; it is kept for 30 days in the trash.',
      schema: { params: byId, reply: removeReply },
      handle: async ({ params }) => ({ ok: true, ...(await chats().remove(params.id)) }),
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
      summary: 'Copies a chat up to and including a turn, or up to another way to go on.',
      schema: { params: byId, body: forkBody, reply: meta },
      status: 201,
      handle: ({ params, body: { atTurn, beforeTurn } }) =>
        beforeTurn === undefined ? chats().fork(params.id, atTurn) : chats().branch(params.id, beforeTurn),
    }),
    route({
      key: 'GET /api/chats/:id/transcript',
      command: 'transcript',
      permission: 'chats.read',
      summary: 'Answers the newest page of a chat, or the one before a cursor.',
      schema: { params: byId, query: pageQuery, reply: pageReply },
      async handle({ params, query }) {
        const page = await chats().transcript(params.id, query);
        // After the page: later changes arrive as events.
        const marks = query.before === undefined ? await marksOf(params.id) : [];
        return marks.length === 0 ? page : { ...page, marks };
      },
    }),
    route({
      key: 'GET /api/workspace/current',
      command: 'workspace',
      permission: 'chats.read',
      summary: 'Answers the workspace of a chat.',
      schema: { query: chatQuery, reply: workspaceReply },
      handle: async ({ query }) => {
        const { chatId, workspaceRoot, workspaceFingerprint } = await chats().peek(query.chatId);
        return { chatId, workspaceRoot, workspaceFingerprint, basename: basename(workspaceRoot) };
      },
    }),
  ];
}

async function withMarks<T extends { readonly chatId: string; readonly entryId: string }>(
  hits: readonly T[],
  marksOf: (chatId: string) => Promise<readonly MarkedEntries[]>,
): Promise<(T & { readonly marks?: string[] })[]> {
  const chatIds = [...new Set(hits.map(({ chatId }) => chatId))];
  const marked = new Map(await Promise.all(chatIds.map(async (chatId) => [chatId, await marksOf(chatId)] as const)));
  return hits.map((hit) => {
    const marks = labelsOf(marked.get(hit.chatId) ?? [], hit.entryId);
    return marks.length === 0 ? hit : { ...hit, marks };
  });
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
