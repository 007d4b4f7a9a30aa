// Serves the routes for the changes of turns, undo and redo.
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { Checkpoints } from './contract.ts';

const paths = Type.Array(Type.String());
const outside = Type.Array(
  Type.Object({
    callId: Type.String(),
    tool: Type.String(),
    what: Type.String({ description: 'In a line: the command, the address; empty where nobody says.' }),
    effects: Type.Array(Type.String(), { description: 'As the tool declares them; empty where they are not known.' }),
  }),
  { description: 'What the turn did outside, which nothing here takes back.' },
);
export const restoredFields = {
  turnId: Type.String(),
  restored: paths,
  conflicts: paths,
  restoredState: Type.Array(Type.String(), { description: 'Notes, settings and other state that is as before, as people call it.' }),
  stateConflicts: Type.Array(Type.String(), { description: 'State that somebody changed since, so left alone.' }),
  merged: Type.Array(Type.String(), { description: 'Of what was restored: where later changes by others were kept.' }),
  notUndone: outside,
};

const strict = { additionalProperties: false } as const;
const undoSchema = {
  body: Type.Object(
    {
      chatId: Type.Optional(Type.String()),
      turnId: Type.Optional(Type.String({ description: 'Left out: the last turn that was not undone yet, whether or not it changed anything.' })),
      paths: Type.Optional(
        Type.Array(Type.String({ maxLength: 4096 }), {
          minItems: 1,
          maxItems: 200,
          description: 'Only these files and this state, as `GET /api/changes` says them (`path`, `id`); without a turn in every turn that changed them.',
        }),
      ),
      hunks: Type.Optional(
        Type.Array(Type.String({ maxLength: 64 }), {
          minItems: 1,
          maxItems: 1_000,
          description: 'Only these hunks of the one file that `paths` names, as `GET /api/changes` named them for the same `turnId`.',
        }),
      ),
    },
    strict,
  ),
  reply: Type.Object({
    ok: Type.Boolean({ description: 'False: nothing of the last turn can be undone, and nothing was changed.' }),
    ...restoredFields,
    outside: Type.Optional(outside),
    previous: Type.Optional(
      Type.Object(
        { turnId: Type.String(), files: Type.Array(Type.String(), { description: 'What that turn changed, as people call it.' }) },
        { description: 'Where `ok` is false: the newest turn before it that can be undone, by its `turnId`.' },
      ),
    ),
  }),
};
const redoSchema = {
  body: Type.Object({ chatId: Type.Optional(Type.String()) }, strict),
  reply: Type.Object({ ok: Type.Boolean(), ...restoredFields }),
};
const count = Type.Union([Type.Integer(), Type.Null()], { description: 'Lines; `null` where they cannot be counted: binary, huge, or not kept.' });
const conflict = Type.Boolean({ description: 'Somebody changed it since: an undo keeps that, and leaves it alone where both changed the same place.' });
const canMerge = Type.Optional(Type.Boolean({ description: 'Where somebody did: whether an undo can keep that and take back the rest.' }));
const changesSchema = {
  query: Type.Object(
    {
      chatId: Type.Optional(Type.String()),
      turnId: Type.Optional(Type.String({ description: 'Of this turn only; all of them when left out.' })),
      path: Type.Optional(Type.String({ maxLength: 4096, description: 'Of this file only, with its `diff`.' })),
    },
    strict,
  ),
  reply: Type.Object({
    files: Type.Array(
      Type.Object({
        path: Type.String({ description: 'Relative to the workspace, absolute outside of it.' }),
        from: Type.Optional(Type.String({ description: 'Where it was before it was moved.' })),
        kind: Type.Union([Type.Literal('added'), Type.Literal('edited'), Type.Literal('deleted'), Type.Literal('moved')]),
        added: count,
        removed: count,
        undone: Type.Boolean({ description: 'It was taken back.' }),
        conflict,
        canMerge,
        binary: Type.Boolean(),
        turnId: Type.String({ description: 'The turn that changed it last.' }),
        at: Type.String(),
      }),
      { description: 'Changed last first, 200 at most.' },
    ),
    state: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Names it in `paths` of an undo.' }),
        kind: Type.String({ description: 'note, setting, persona, …' }),
        label: Type.String(),
        change: Type.Union([Type.Literal('added'), Type.Literal('edited'), Type.Literal('deleted')]),
        undone: Type.Boolean(),
        conflict,
        canMerge,
        turnId: Type.String(),
        at: Type.String(),
      }),
      { description: 'Changed last first, 200 at most; none where one file was asked for.' },
    ),
    outside,
    more: Type.Integer({ description: 'Files that are left out.' }),
    diff: Type.Optional(Type.String({ description: 'Unified; of the file that `path` names, where it is text.' })),
    hunks: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Of that diff: what names each hunk that can be taken back by itself, in their order; they mean nothing once the file is another.',
      }),
    ),
  }),
};

export interface RouteParts {
  readonly services: { readonly chats: Chats };
  readonly checkpoints: Checkpoints;
  /** Throws if a turn is running in the chat. */
  refuseBusy(chatId: string): void;
  /** Returns the error for hunks without exactly one file. */
  needsOneFile(): Error;
}

export function undoRoute({ services, checkpoints, refuseBusy, needsOneFile }: RouteParts): Route<typeof undoSchema> {
  return {
    key: 'POST /api/undo',
    command: 'undo',
    summary: 'Takes back what a turn changed in files, notes, settings and state of plugins; or in some of it only, or some hunks of one file.',
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
    summary: 'What was changed in files, notes, settings and state of plugins, net: in a chat or in one of its turns; of one file with the diff.',
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
