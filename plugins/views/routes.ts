// The views over HTTP: the list, each of them, and what is done in it.
import * as Type from 'typebox';
import type { Route, RouteContext } from 'agent-harness/plugins/http';
import type { ViewContext, Views } from './contract.ts';
import { places } from './view-board.ts';
import { viewSchema } from './view-schema.ts';

const text = Type.String();
const optional = Type.Optional;
const closed = { additionalProperties: false };
const chatId = optional(Type.String({ maxLength: 100, description: 'Of the chat that it is about; the active one when left out.' }));
const params = Type.Object({ name: Type.String({ maxLength: 64 }) });
const row = Type.Object({
  name: text,
  title: text,
  plugin: text,
  description: optional(text),
  icon: optional(text),
  place: optional(Type.Union(places.map((place) => Type.Literal(place)))),
  changesOn: optional(Type.Array(text, { description: 'Events after which it says something else.' })),
});
const listing = { reply: Type.Object({ views: Type.Array(row) }) };
const reading = { params, query: Type.Object({ chatId }, closed), reply: viewSchema };
const acting = {
  params: Type.Object({ name: Type.String({ maxLength: 64 }), id: Type.String({ maxLength: 100 }) }),
  body: Type.Object(
    {
      chatId,
      row: optional(Type.String({ maxLength: 100, description: 'Of an action of rows: which one.' })),
      input: optional(Type.Record(Type.String(), Type.Union([text, Type.Number(), Type.Boolean()]), { description: 'What the action asks for.' })),
    },
    closed,
  ),
  reply: Type.Object({ view: viewSchema, message: optional(Type.String({ description: 'What was done.' })) }),
};

/** @param contextOf reads the chat; rejects where there is none of that id */
export function createRoutes(
  views: Views,
  contextOf: (chatId: string | undefined, principal: RouteContext['principal']) => Promise<ViewContext>,
): [Route<typeof listing>, Route<typeof reading>, Route<typeof acting>] {
  return [
    {
      key: 'GET /api/views',
      summary: 'The views of plugins that the caller may read.',
      tag: 'views',
      permission: 'server.read',
      schema: listing,
      waitsForReady: true,
      handle: async ({ principal }) => ({ views: views.list(principal) as never }),
    },
    {
      key: 'GET /api/views/:name',
      summary: 'What a view says now. The view itself names what whoever reads it must be allowed to.',
      tag: 'views',
      permission: 'server.read',
      schema: reading,
      waitsForReady: true,
      handle: async ({ params: { name }, query, principal }) => (await views.read(name, await contextOf(query.chatId, principal))) as never,
    },
    {
      key: 'POST /api/views/:name/actions/:id',
      command: 'view_action',
      summary: 'Has an action done that the view offers now. The view itself names what whoever does it must be allowed to.',
      tag: 'views',
      permission: 'server.read',
      schema: acting,
      waitsForReady: true,
      async handle({ params: { name, id }, body, principal }) {
        const { chatId: about, ...call } = body;
        return (await views.act(name, { action: id, ...call }, await contextOf(about, principal))) as never;
      },
    },
  ];
}
