// Serves the HTTP routes of dreams: lists reports, starts a run, and undoes a run.
import * as Type from 'typebox';
import type { Route } from 'agent-harness/plugins/http';
import { gateSchema, runSchema, shownRun } from './schemas.ts';
import type { Dreams } from './open-dreams.ts';

export interface DreamRouteParts {
  dreams(): Promise<Dreams>;
  readonly signal: AbortSignal;
}

const strict = { additionalProperties: false } as const;
const byRun = Type.Object(
  { runId: Type.Optional(Type.String({ maxLength: 64, description: 'Run to undo; default: the newest run that changed a note.' })) },
  strict,
);

const postDreamsUndoSchema = { body: byRun, reply: Type.Object({ run: runSchema }) };

const postDreamsSchema = { body: Type.Object({}, strict), reply: Type.Object({ run: Type.Optional(runSchema), next: Type.Optional(gateSchema) }) };

const readDreamsSchema = {
  query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })) }, strict),
  reply: Type.Object({ runs: Type.Array(runSchema), next: gateSchema }),
};

export function createDreamRoutes({ dreams, signal }: DreamRouteParts): Route[] {
  return [
    route({
      key: 'GET /api/dreams',
      summary: 'Lists dream runs, newest first, with their changes, evidence and refusals, and the reason why no run starts now.',
      tag: 'memory',
      permission: 'memory.read',
      schema: readDreamsSchema,
      async handle({ query }) {
        const open = await dreams();
        const runs = (await open.files.runs()).slice(0, query.limit ?? 50);
        return { runs: runs.map(shownRun), next: { ...(await open.status()) } };
      },
    }),
    route({
      key: 'POST /api/dreams',
      summary: 'Starts a dream now and returns its result, or the reason why it did not start. Ignores the minimum hours and chats; costs one model call.',
      tag: 'memory',
      permission: 'memory.manage',
      schema: postDreamsSchema,
      async handle() {
        const made = await (await dreams()).dream('person', signal);
        return 'gate' in made ? { next: { ...made } } : { run: shownRun(made) };
      },
    }),
    route({
      key: 'POST /api/dreams/undo',
      summary: 'Undoes the note changes of a run. Notes changed after the run stay, and the reply lists them.',
      tag: 'memory',
      permission: 'memory.manage',
      schema: postDreamsUndoSchema,
      handle: async ({ body }) => ({ run: shownRun(await (await dreams()).undo(body.runId)) }),
    }),
  ];
}

/** Checks each handler against its own schema; the returned type erases the schema. */
function route<S extends Route['schema']>(one: Route<S>): Route {
  return one;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/dreams': typeof readDreamsSchema;
    'POST /api/dreams': typeof postDreamsSchema;
    'POST /api/dreams/undo': typeof postDreamsUndoSchema;
  }
}
