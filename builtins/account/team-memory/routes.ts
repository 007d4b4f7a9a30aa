// Serves the HTTP routes of a team's notes.
import * as Type from 'typebox';
import type { Route, RouteSchema } from 'agent-harness/plugins/http';
import type { SharedNotes } from './shared-notes.ts';

const strict = { additionalProperties: false } as const;
const tag = 'sync';
const workspace = Type.String({ minLength: 1, maxLength: 500 });
const listing = {
  reply: Type.Object({
    sets: Type.Array(Type.Object({ workspace: Type.String(), notes: Type.Integer() })),
    mayDelete: Type.Boolean({ description: 'Whether the role in the organisation allows deleting notes.' }),
  }),
};
const reading = {
  query: Type.Object({ workspace }, strict),
  reply: Type.Object({
    revision: Type.Integer(),
    isCut: Type.Boolean({ description: 'Whether there are more notes.' }),
    notes: Type.Array(
      Type.Object({
        ...{ key: Type.String(), value: Type.String(), updatedAt: Type.String() },
        by: Type.Optional(Type.String({ description: 'E-mail address of the author.' })),
        isOwn: Type.Boolean(),
      }),
    ),
  }),
};
const removing = {
  query: Type.Object(
    {
      workspace,
      key: Type.String({ minLength: 1, maxLength: 500 }),
      revision: Type.Integer({ minimum: 0, description: 'Revision up to which the notes were read.' }),
    },
    strict,
  ),
  reply: Type.Object({ ok: Type.Boolean() }),
};

export function sharedNotesRoutes(notes: () => Promise<SharedNotes>): Route<never>[] {
  return [
    route({
      key: 'GET /api/team/notes/sets',
      summary: 'Lists the workspaces with notes of the team on the control plane.',
      tag,
      permission: 'memory.read',
      schema: listing,
      async handle({ signal }) {
        const { sets, mayDelete } = await (await notes()).sets(signal);
        return { sets: [...sets], mayDelete };
      },
    }),
    route({
      key: 'GET /api/team/notes',
      summary: 'Returns the notes of the team for a workspace with their authors, newest first.',
      tag,
      permission: 'memory.read',
      schema: reading,
      async handle({ query, signal }) {
        const set = await (await notes()).read(query.workspace, signal);
        return { ...set, notes: [...set.notes] };
      },
    }),
    route({
      key: 'DELETE /api/team/notes',
      summary: 'Deletes a note of the team on the control plane, and on all machines with the next sync.',
      tag,
      permission: 'memory.manage',
      schema: removing,
      async handle({ query, signal }) {
        await (await notes()).remove(query, signal);
        return { ok: true };
      },
    }),
  ];
}

/** Infers the handler's types from the schemas, and erases the schemas from the result: one array holds all routes. */
function route<S extends RouteSchema>(one: Route<S>): Route<never> {
  return one as unknown as Route<never>;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/team/notes/sets': typeof listing;
    'GET /api/team/notes': typeof reading;
    'DELETE /api/team/notes': typeof removing;
  }
}
