import * as Type from 'typebox';
import { beforeAll, expect, test } from 'vitest';
import { openHttp, routes } from './open-http.ts';
import { useAll } from '../../../helpers/use-opened.ts';

let document: any;

const http = useAll(() =>
  openHttp({
    things: routes(
      {
        key: 'PATCH /api/things/:id',
        summary: 'Renames a thing.',
        tag: 'things',
        schema: {
          params: Type.Object({ id: Type.String({ pattern: '^thing_' }) }),
          query: Type.Object({ dry: Type.Optional(Type.Boolean()), why: Type.String() }),
          body: Type.Object({ name: Type.String() }, { additionalProperties: false }),
          reply: Type.Object({ ok: Type.Boolean() }),
        },
        status: 202,
        handle: () => ({ ok: true }),
      },
      { key: 'GET /files/*', auth: 'open', isRaw: true, handle: () => undefined },
    ),
  }),
);
beforeAll(async () => {
  document = (await http.ask('/api/openapi.json')).body;
});

test('the document contains product, version and security schemes', () => {
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Test', version: '1.2.3' },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, header: { name: 'x-app-token' }, query: { name: 'authToken' } } },
  });
});

test('a route is described by its schemas', () => {
  expect(document.paths['/api/things/{id}'].patch).toMatchObject({
    operationId: 'patchApiThingsId',
    summary: 'Renames a thing.',
    tags: ['things'],
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^thing_' } },
      { name: 'dry', in: 'query', required: false, schema: { type: 'boolean' } },
      { name: 'why', in: 'query', required: true, schema: { type: 'string' } },
    ],
    requestBody: { required: true, content: { 'application/json': { schema: { required: ['name'], additionalProperties: false } } } },
    responses: {
      '202': { content: { 'application/json': { schema: { properties: { ok: { type: 'boolean' } } } } } },
      '400': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
    },
  });
});

test('an open route declares that it needs no token, and a wildcard is a parameter', () => {
  expect(document.paths['/files/{path}'].get).toMatchObject({ security: [], parameters: [{ name: 'path', in: 'path' }] });
});

test('the document lists its own route, and every reference resolves', () => {
  expect(Object.keys(document.paths)).toContain('/api/openapi.json');
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g);
  expect([...new Set([...references].map((match) => match[1]))]).toEqual(Object.keys(document.components.schemas));
});
