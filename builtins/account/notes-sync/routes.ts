// Serves the routes of notes sync: state, preview, sync, conflicts and history.
import { oneOf } from '#lib/schemas';
import * as Type from 'typebox';
import type { KernelError } from 'agent-harness/kernel';
import type { Route, RouteSchema } from 'agent-harness/plugins/http';
import type { SyncPlace, SyncTarget } from './contract.ts';
import type { OpenNotesSync } from './open-sync.ts';

export interface SyncRouteParts {
  readonly sync: () => Promise<OpenNotesSync>;
  readonly targets: () => readonly SyncTarget[];
  /** Returns the id of the active chat. */
  readonly chatId: () => Promise<string>;
  readonly makeError: (reason: 'NOT_FOUND', details: Readonly<Record<string, unknown>>) => KernelError;
}

const strict = { additionalProperties: false } as const;
const tag = 'sync';
const targetName = oneOf(['cloud', 'team']);
const refused = Type.Array(Type.Object({ id: Type.String(), why: Type.String() }));
const setState = Type.Object({
  ...{ target: targetName, workspace: Type.String(), workspaceRoot: Type.Optional(Type.String()) },
  isAgreed: Type.Boolean({ description: 'Whether the user agreed to upload notes of this set to this account.' }),
  revision: Type.Integer(),
  pending: Type.Integer({ description: 'Number of notes and deletions to upload.' }),
  lastSyncAt: Type.Optional(Type.String()),
  problem: Type.Optional(Type.String()),
  conflicts: Type.Array(
    Type.Object({
      ...{ at: Type.String(), id: Type.String(), value: Type.String(), updatedAt: Type.String() },
      side: oneOf(['here', 'there', 'restored'], { description: 'Side whose text was discarded; `restored`: the note was deleted elsewhere.' }),
    }),
  ),
  refused,
  pulled: Type.Optional(Type.Integer()),
  pushed: Type.Optional(Type.Integer()),
});
const which = { target: targetName, chatId: Type.Optional(Type.String({ description: 'Id of the chat; default: the active chat.' })) };
const stateReply = Type.Object({ targets: Type.Array(targetName), sets: Type.Array(setState) });
const previewing = {
  query: Type.Object(which, strict),
  reply: Type.Object({
    sets: Type.Array(
      Type.Object({
        ...{ workspace: Type.String(), total: Type.Integer(), characters: Type.Integer(), isAgreed: Type.Boolean(), refused },
        notes: Type.Array(Type.Object({ id: Type.String(), isDeletion: Type.Boolean(), characters: Type.Integer() })),
      }),
    ),
  }),
};
const running = {
  body: Type.Object(
    {
      ...which,
      workspace: Type.Optional(Type.String({ description: 'Workspace of a single set; default: all sets of the chat.' })),
      direction: Type.Optional(oneOf(['pull', 'push', 'both'])),
    },
    strict,
  ),
  reply: Type.Object({ sets: Type.Array(setState) }),
};
const stopping = {
  body: Type.Object({ ...which, workspace: Type.Optional(Type.String()) }, strict),
  reply: Type.Object({ ok: Type.Boolean() }),
};
const settling = {
  body: Type.Object(
    {
      ...{ target: targetName, workspace: Type.String(), at: Type.String(), id: Type.String() },
      side: oneOf(['here', 'there', 'restored']),
      isUsed: Type.Boolean({ description: 'Whether the stored text replaces the current one; otherwise it is discarded.' }),
    },
    strict,
  ),
  reply: Type.Object({ set: setState }),
};
const historyOf = {
  query: Type.Object({ target: targetName, workspace: Type.String(), key: Type.String() }, strict),
  reply: Type.Object({
    versions: Type.Array(
      Type.Object({
        ...{ value: Type.String(), updatedAt: Type.String(), replacedAt: Type.String(), by: Type.Object({ userId: Type.String(), email: Type.String() }) },
        reason: oneOf(['newer', 'deleted', 'restored']),
      }),
    ),
  }),
};

export function syncRoutes({ sync, targets, chatId, makeError }: SyncRouteParts): Route<never>[] {
  function targetNamed(name: string): SyncTarget {
    const target = targets().find((one) => one.name === name);
    if (!target) throw makeError('NOT_FOUND', { what: name });
    return target;
  }

  async function placesOf(target: SyncTarget, chat: string | undefined, workspace: string | undefined): Promise<readonly SyncPlace[]> {
    const places = await (await sync()).placesOf(target, chat ?? (await chatId()));
    const selected = places.filter((place) => workspace === undefined || place.workspace === workspace);
    if (workspace !== undefined && selected.length === 0) throw makeError('NOT_FOUND', { what: workspace });
    return selected;
  }

  return [
    route({
      key: 'GET /api/sync/state',
      summary: 'Lists the synchronised sets of notes with their pending changes and stored conflicts.',
      tag,
      permission: 'memory.read',
      schema: { reply: stateReply },
      handle: async () => ({ targets: targets().map(({ name }) => name), sets: [...(await (await sync()).state())] as never }),
    }),
    route({
      key: 'GET /api/sync/preview',
      summary: 'Lists the notes that the next sync would upload, and those that it would not.',
      tag,
      permission: 'memory.read',
      schema: previewing,
      async handle({ query }) {
        const target = targetNamed(query.target);
        const places = await placesOf(target, query.chatId, undefined);
        const open = await sync();
        return { sets: (await Promise.all(places.map((place) => open.preview(target, place)))) as never };
      },
    }),
    route({
      key: 'POST /api/sync/run',
      summary: 'Synchronises the notes of a chat with the control plane now, and automatically from then on.',
      tag,
      permission: 'memory.manage',
      schema: running,
      async handle({ body: { target: name, chatId: chat, workspace, direction = 'both' }, signal }) {
        const target = targetNamed(name);
        const open = await sync();
        const reports = [];
        for (const place of await placesOf(target, chat, workspace)) {
          reports.push(await open.run(target, place, { isAsked: direction !== 'pull', direction: direction as 'both', signal }));
        }
        return { sets: reports as never };
      },
    }),
    route({
      key: 'POST /api/sync/stop',
      summary: 'Stops automatic uploads of these sets. Notes on the control plane remain.',
      tag,
      permission: 'memory.manage',
      schema: stopping,
      async handle({ body: { target: name, chatId: chat, workspace } }) {
        const target = targetNamed(name);
        for (const place of await placesOf(target, chat, workspace)) await (await sync()).stop(target, place);
        return { ok: true };
      },
    }),
    route({
      key: 'POST /api/sync/settle',
      summary: 'Resolves a conflict: restores or discards the stored text.',
      tag,
      permission: 'memory.manage',
      schema: settling,
      async handle({ body: { target: name, side, ...choice } }) {
        const set = await (await sync()).settle({ ...choice, target: targetNamed(name), side: side });
        if (!set) throw makeError('NOT_FOUND', { what: choice.id });
        return { set: set as never };
      },
    }),
    route({
      key: 'GET /api/sync/history',
      summary: 'Lists the versions of a note from the last 30 days on the control plane, with their authors.',
      tag,
      permission: 'memory.read',
      schema: historyOf,
      handle: async ({ query: { target, workspace, key } }) => ({ versions: [...(await (await sync()).history(targetNamed(target), workspace, key))] }),
    }),
  ];
}

/** Infers the handler's types from the schemas, and erases the schemas from the result: one array holds all routes. */
function route<S extends RouteSchema>(one: Route<S>): Route<never> {
  return one as unknown as Route<never>;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/sync/state': { reply: typeof stateReply };
    'GET /api/sync/preview': typeof previewing;
    'POST /api/sync/run': typeof running;
    'POST /api/sync/stop': typeof stopping;
    'POST /api/sync/settle': typeof settling;
    'GET /api/sync/history': typeof historyOf;
  }
}
