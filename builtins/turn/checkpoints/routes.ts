// What tools changed in files, and taking it back, over HTTP.
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { Checkpoints } from './contract.ts';

const paths = Type.Array(Type.String());
export const restoredFields = { turnId: Type.String(), restored: paths, conflicts: paths };

const strict = { additionalProperties: false } as const;
const undoSchema = {
  body: Type.Object({ chatId: Type.Optional(Type.String()), turnId: Type.Optional(Type.String()) }, strict),
  reply: Type.Object({ ok: Type.Boolean(), ...restoredFields }),
};
const count = Type.Union([Type.Integer(), Type.Null()], { description: 'Lines; `null` where they cannot be counted: binary, huge, or not kept.' });
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
        conflict: Type.Boolean({ description: 'Somebody changed it since, so an undo leaves it alone.' }),
        binary: Type.Boolean(),
        turnId: Type.String({ description: 'The turn that changed it last.' }),
        at: Type.String(),
      }),
      { description: 'Changed last first, 200 at most.' },
    ),
    more: Type.Integer({ description: 'Files that are left out.' }),
    diff: Type.Optional(Type.String({ description: 'Unified; of the file that `path` names, where it is text.' })),
  }),
};

export interface RouteParts {
  readonly services: { readonly chats: Chats };
  readonly checkpoints: Checkpoints;
  /** Throws where a turn is running in the chat. */
  refuseBusy(chatId: string): void;
}

export function undoRoute({ services, checkpoints, refuseBusy }: RouteParts): Route<typeof undoSchema> {
  return {
    key: 'POST /api/undo',
    summary: 'Takes back what tools changed in files in one turn.',
    tag: 'session',
    permission: 'chats.manage',
    schema: undoSchema,
    async handle({ body }) {
      const { chatId } = await services.chats.get(body.chatId);
      refuseBusy(chatId);
      return { ok: true, ...(await checkpoints.undo(chatId, body.turnId)) };
    },
  };
}

export function changesRoute({ services, checkpoints }: RouteParts): Route<typeof changesSchema> {
  return {
    key: 'GET /api/changes',
    summary: 'What tools changed in files, net: in a chat or in one of its turns; of one file with the diff.',
    tag: 'session',
    permission: 'chats.read',
    schema: changesSchema,
    async handle({ query: { chatId: wanted, ...which } }) {
      const { chatId } = await services.chats.peek(wanted);
      return checkpoints.changes(chatId, which);
    },
  };
}
