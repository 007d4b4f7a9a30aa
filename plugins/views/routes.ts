// Serves the views: their list, each view, and its actions.
import * as Type from 'typebox';
import type { Route, RouteContext } from 'agent-harness/plugins/http';
import type { ViewAsker, Views } from './contract.ts';
import { places } from './view-registry.ts';
import { inputSchema, viewSchema } from './view-schema.ts';

const text = Type.String();
const optional = Type.Optional;
const closed = { additionalProperties: false };
const chatId = optional(Type.String({ maxLength: 100, description: 'Id of the chat for which the view is read; default: the active chat.' }));
const params = Type.Object({ name: Type.String({ maxLength: 64 }) });
const row = Type.Object({
  name: text,
  title: text,
  plugin: text,
  description: optional(text),
  icon: optional(text),
  place: optional(Type.Union(places.map((place) => Type.Literal(place)))),
  tabOf: optional(Type.String({ description: 'Name of the view on whose page this view is a tab.' })),
  parameters: optional(inputSchema),
  changesOn: optional(Type.Array(text, { description: 'Events after which the content may have changed.' })),
});
const listing = { reply: Type.Object({ views: Type.Array(row) }) };
/** Accepts any other query field as a parameter, which the view validates. */
const readingWith = { additionalProperties: Type.String({ maxLength: 10_000, description: 'Value of a parameter of the view.' }) };
const reading = { params, query: Type.Object({ chatId }, readingWith), reply: viewSchema };
const values = Type.Record(Type.String(), Type.Union([text, Type.Number(), Type.Boolean()]));
const acting = {
  params: Type.Object({ name: Type.String({ maxLength: 64 }), id: Type.String({ maxLength: 100 }) }),
  body: Type.Object(
    {
      chatId,
      row: optional(Type.String({ maxLength: 100, description: 'Id of the row, for an action of rows.' })),
      input: optional(Type.Unsafe<Readonly<Record<string, string | number | boolean>>>({ ...values, description: 'Input of the action.' })),
      parameters: optional(
        Type.Unsafe<Readonly<Record<string, string | number | boolean>>>({ ...values, description: 'Parameters with which the view was read.' }),
      ),
    },
    closed,
  ),
  reply: Type.Object({
    view: viewSchema,
    message: optional(Type.String({ description: 'Result of the action.' })),
    file: optional(Type.Object({ name: text, text }, { description: 'File to save on the device of the user.' })),
  }),
};

/** Returns the routes of views. @param askerOf returns the caller with its chat; rejects if no chat has that id */
export function createRoutes(
  views: Views,
  askerOf: (chatId: string | undefined, principal: RouteContext['principal']) => Promise<ViewAsker>,
): [Route<typeof listing>, Route<typeof reading>, Route<typeof acting>] {
  return [
    {
      key: 'GET /api/views',
      summary: 'Lists the views of plugins that the caller may read.',
      tag: 'views',
      permission: 'server.read',
      schema: listing,
      waitsForReady: true,
      handle: async ({ principal }) => ({ views: views.list(principal) as never }),
    },
    {
      key: 'GET /api/views/:name',
      summary: 'Returns the current content of a view for the parameters in the query. The view defines the permission that a reader needs.',
      tag: 'views',
      permission: 'server.read',
      schema: reading,
      waitsForReady: true,
      async handle({ params: { name }, query: { chatId: about, ...parameters }, principal }) {
        return (await views.read(name, await askerOf(about, principal), parameters)) as never;
      },
    },
    {
      key: 'POST /api/views/:name/actions/:id',
      command: 'view_action',
      summary: 'Runs an action that the view currently offers. The view defines the permission that the caller needs.',
      tag: 'views',
      permission: 'server.read',
      schema: acting,
      waitsForReady: true,
      async handle({ params: { name, id }, body, principal }) {
        const { chatId: about, ...call } = body;
        return (await views.act(name, { action: id, ...call }, await askerOf(about, principal))) as never;
      },
    },
  ];
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/views': typeof listing;
    'GET /api/views/:name': typeof reading;
    'POST /api/views/:name/actions/:id': typeof acting;
  }
}
