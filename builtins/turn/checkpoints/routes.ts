// Serves the HTTP routes for the changes of turns, undo and redo.
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { Checkpoints } from './contract.ts';

const paths = Type.Array(Type.String());
const outside = Type.Array(
  Type.Object({
    callId: Type.String(),
    tool: Type.String(),
    what: Type.String({ description: 'Subject of the call in one line, such as the command or the address; empty if unknown.' }),
    effects: Type.Array(Type.String(), { description: 'Effects that the tool declares; empty if unknown.' }),
  }),
  { description: 'External effects of the turn, which cannot be undone.' },
);
export const restoredFields = {
  turnId: Type.String(),
  restored: paths,
  conflicts: paths,
  restoredState: Type.Array(Type.String(), { description: 'Display names of restored notes, settings and other state.' }),
  stateConflicts: Type.Array(Type.String(), { description: 'State that was not restored because it was changed later.' }),
  merged: Type.Array(Type.String(), { description: 'Restored items in which later changes were kept.' }),
  notUndone: outside,
};

const strict = { additionalProperties: false } as const;
const undoSchema = {
  body: Type.Object(
    {
      chatId: Type.Optional(Type.String()),
      turnId: Type.Optional(Type.String({ description: 'Turn to undo; default: the last turn that is not undone, whether or not it changed anything.' })),
      paths: Type.Optional(
        Type.Array(Type.String({ maxLength: 4096 }), {
          minItems: 1,
          maxItems: 200,
          description: 'The only files and state to undo, by `path` or `id` from `GET /api/changes`; without `turnId`, in all turns that changed them.',
        }),
      ),
      hunks: Type.Optional(
        Type.Array(Type.String({ maxLength: 64 }), {
          minItems: 1,
          maxItems: 1_000,
          description: 'The only hunks to undo of the one file in `paths`, by their ids from `GET /api/changes` for the same `turnId`.',
        }),
      ),
    },
    strict,
  ),
  reply: Type.Object({
    ok: Type.Boolean({ description: 'False if the last turn has no changes that can be undone; then nothing was changed.' }),
    ...restoredFields,
    outside: Type.Optional(outside),
    previous: Type.Optional(
      Type.Object(
        { turnId: Type.String(), files: Type.Array(Type.String(), { description: 'Display names of the items that the turn changed.' }) },
        { description: 'If `ok` is false: the newest earlier turn that can be undone.' },
      ),
    ),
  }),
};
const redoSchema = {
  body: Type.Object({ chatId: Type.Optional(Type.String()) }, strict),
  reply: Type.Object({ ok: Type.Boolean(), ...restoredFields }),
};
const count = Type.Union([Type.Integer(), Type.Null()], {
  description: 'Number of lines; `null` if they cannot be counted because the file is binary, too large, or not stored.',
});
const conflict = Type.Boolean({
  description: 'The item was changed later. An undo keeps the later change, and skips the item if both changed the same lines.',
});
const canMerge = Type.Optional(Type.Boolean({ description: 'For an item that was changed later: whether an undo can keep that change and revert the rest.' }));
const changesSchema = {
  query: Type.Object(
    {
      chatId: Type.Optional(Type.String()),
      turnId: Type.Optional(Type.String({ description: 'Lists only the changes of this turn; default: all turns.' })),
      path: Type.Optional(Type.String({ maxLength: 4096, description: 'Lists only this file, with its `diff`.' })),
    },
    strict,
  ),
  reply: Type.Object({
    files: Type.Array(
      Type.Object({
        path: Type.String({ description: 'Path relative to the workspace; absolute outside it.' }),
        from: Type.Optional(Type.String({ description: 'Path before a move.' })),
        kind: Type.Union([Type.Literal('added'), Type.Literal('edited'), Type.Literal('deleted'), Type.Literal('moved')]),
        added: count,
        removed: count,
        undone: Type.Boolean({ description: 'The change is undone.' }),
        conflict,
        canMerge,
        binary: Type.Boolean(),
        turnId: Type.String({ description: 'Last turn that changed the item.' }),
        at: Type.String(),
      }),
      { description: 'Changed files, most recently changed first, at most 200.' },
    ),
    state: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Id for `paths` of an undo.' }),
        kind: Type.String({ description: 'note, setting, persona, …' }),
        label: Type.String(),
        change: Type.Union([Type.Literal('added'), Type.Literal('edited'), Type.Literal('deleted')]),
        undone: Type.Boolean(),
        conflict,
        canMerge,
        turnId: Type.String(),
        at: Type.String(),
      }),
      { description: 'Changed state, most recently changed first, at most 200; empty if `path` is given.' },
    ),
    outside,
    more: Type.Integer({ description: 'Number of changed files that are not listed.' }),
    diff: Type.Optional(Type.String({ description: 'Unified diff of the file `path`, if it is text.' })),
    hunks: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Ids of the hunks of `diff` that can be undone separately, in order. They become invalid when the file changes.',
      }),
    ),
  }),
};

export interface RouteParts {
  readonly services: { readonly chats: Chats };
  readonly checkpoints: Checkpoints;
  /** Throws if a turn is running in the chat. */
  refuseBusy(chatId: string): void;
  /** Returns the error for a request with hunks in which `paths` does not name exactly one file. */
  needsOneFile(): Error;
}

export function undoRoute({ services, checkpoints, refuseBusy, needsOneFile }: RouteParts): Route<typeof undoSchema> {
  return {
    key: 'POST /api/undo',
    command: 'undo',
    summary: 'Undoes the changes of a turn to files, notes, settings and plugin state: all of them, selected items, or hunks of one file.',
    tag: 'session',
    permission: 'chats.manage',
    schema: undoSchema,
    async handle({ body }) {
      const { chatId } = await services.chats.get(body.chatId);
      refuseBusy(chatId);
      const { turnId, paths = [], hunks } = body;
      if (!hunks) {
        const undone = await checkpoints.undo(chatId, turnId, body.paths);
        return undone.ok ? undone : { ...undone, outside: undone.notUndone };
      }
      const [path, second] = paths;
      if (path === undefined || second !== undefined) throw needsOneFile();
      return checkpoints.undoHunks(chatId, { path, ...(turnId === undefined ? {} : { turnId }) }, hunks);
    },
  };
}

export function redoRoute({ services, checkpoints, refuseBusy }: RouteParts): Route<typeof redoSchema> {
  return {
    key: 'POST /api/redo',
    command: 'redo',
    summary: 'Reverts the last undo.',
    tag: 'session',
    permission: 'chats.manage',
    schema: redoSchema,
    async handle({ body }) {
      const { chatId } = await services.chats.get(body.chatId);
      refuseBusy(chatId);
      return checkpoints.redo(chatId);
    },
  };
}

export function changesRoute({ services, checkpoints }: RouteParts): Route<typeof changesSchema> {
  return {
    key: 'GET /api/changes',
    summary: 'Returns the net changes of a chat, or of one of its turns, to files, notes, settings and plugin state; for one file with its diff.',
    tag: 'session',
    permission: 'chats.read',
    schema: changesSchema,
    async handle({ query: { chatId: wanted, ...which } }) {
      const { chatId } = await services.chats.peek(wanted);
      return checkpoints.changes(chatId, which);
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'POST /api/undo': typeof undoSchema;
    'POST /api/redo': typeof redoSchema;
    'GET /api/changes': typeof changesSchema;
  }
}
