import * as Type from 'typebox';
import { expect, test } from 'vitest';
import { openHttp, routes } from './open-http.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const http = useAll(() =>
  openHttp({
    things: routes(
      { key: 'GET /api/plain', handle: () => ({ any: 'thing' }) },
      {
        key: 'GET /api/things/:id',
        schema: {
          params: Type.Object({ id: Type.String() }),
          query: Type.Object({ limit: Type.Integer({ default: 20, maximum: 50 }), isFull: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
          reply: Type.Object({ id: Type.String(), limit: Type.Integer(), isFull: Type.Optional(Type.Boolean()) }),
        },
        handle: ({ params, query }: any) => ({ ...params, ...query, secret: 'stays here' }),
      },
      {
        key: 'POST /api/things',
        status: 201,
        schema: { body: Type.Object({ name: Type.String(), tags: Type.Array(Type.String(), { default: [] }) }, { additionalProperties: false }) },
        handle: ({ body }: any) => body,
      },
      {
        key: 'POST /api/optional',
        schema: { body: Type.Object({ chatId: Type.Optional(Type.String()) }, { additionalProperties: false }) },
        handle: ({ body }: any) => body,
      },
      { key: 'POST /api/slow', auth: 'open', schema: { body: Type.Object({ a: Type.String({ pattern: '^(a+)+$' }) }) }, handle: () => ({ ok: true }) },
      {
        key: 'POST /api/choice',
        schema: {
          body: Type.Object({
            mode: Type.Optional(Type.Union([Type.Literal('ask'), Type.Literal('plan')])),
            size: Type.Optional(Type.String({ enum: ['s', 'm'] })),
            effort: Type.Optional(Type.Union([Type.Literal('low'), Type.Null()])),
            model: Type.Optional(Type.Union([Type.Literal('auto'), Type.Integer()])),
          }),
        },
        handle: ({ body }: any) => body,
      },
      { key: 'DELETE /api/things/:id', handle: ({ params }: any) => params },
      { key: 'POST /api/bare', handle: () => ({ ok: true }) },
      { key: 'POST /api/small', bodyLimit: 100, schema: { body: Type.Object({ text: Type.String() }) }, handle: () => ({ ok: true }) },
      {
        key: 'POST /api/odd',
        schema: { body: { type: 'object', required: ['a'], content: { 'text/plain': {} }, isFluentSchema: true } as never },
        handle: () => ({ ok: true }),
      },
      {
        key: 'GET /page',
        isRaw: true,
        auth: 'open',
        handle: ({ reply }: any) => void reply.header('content-security-policy', "default-src 'self'").type('text/html').send('<p>hi'),
      },
    ),
  }),
);

test('a slow pattern on untrusted input is cut off', async () => {
  expect(await http.ask('/api/slow', { method: 'POST', token: false, body: { a: `${'a'.repeat(60)}!` } })).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/body cannot be checked: the pattern .* takes more than 1000 ms/) } },
  });
  expect(await http.ask('/api/slow', { method: 'POST', token: false, body: { a: 'aaa' } })).toMatchObject({ status: 200 });
  expect(await http.ask('/api/slow', { method: 'POST', token: false, body: { a: 'b' } })).toMatchObject({ status: 400 });
});

test.each([
  ['mode', 'body/mode must be one of: ask, plan.'],
  ['size', 'body/size must be one of: s, m.'],
  ['effort', 'body/effort must be one of: low, null.'],
  // The alternatives are not all single values.
  ['model', 'body/model must match a schema in anyOf.'],
])('an invalid value for %s is rejected with the valid ones', async (field, why) => {
  const answer = await http.ask('/api/choice', { method: 'POST', body: { [field]: 'wild' } });
  expect(answer).toMatchObject({ status: 400, body: { error: { details: { pointer: `/${field}`, why } } } });
});

test('a reply never contains a field outside its schema', async () => {
  expect((await http.ask('/api/things/7')).text).toBe('{"id":"7","limit":20}');
});

test('URL text is converted to the number or boolean of the schema', async () => {
  expect((await http.ask('/api/things/7?limit=3&isFull=true')).body).toEqual({ id: '7', limit: 3, isFull: true });
});

test('a token in the URL is not an unknown field', async () => {
  expect((await http.ask(`/api/things/7?authToken=${http.token}`, { token: false })).status).toBe(200);
});

test.each([
  ['/api/things/7?limit=many', '/limit', 'type'],
  ['/api/things/7?limit=51', '/limit', 'maximum'],
  ['/api/things/7?other=1', '/other', 'additionalProperties'],
])('rejects %s with pointer and rule', async (path, pointer, rule) => {
  expect(await http.ask(path)).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request', details: { pointer, rule }, message: expect.any(String) } },
  });
});

test.each([
  ['an unknown field', { name: 'a', evil: 1 }, '/evil', 'additionalProperties'],
  ['a missing field', {}, '/name', 'required'],
  ['a number instead of text', { name: 7 }, '/name', 'type'],
  ['a wrong list item', { name: 'a', tags: ['b', 7] }, '/tags/1', 'type'],
  ['null', null, '', 'type'],
  ['a list', [], '', 'type'],
])('rejects a body with %s instead of repairing it', async (_, body, pointer, rule) => {
  const answer = await http.ask('/api/things', { method: 'POST', body });
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', details: { pointer, rule } } } });
});

test('fills in defaults and replies with the status of the route', async () => {
  expect(await http.ask('/api/things', { method: 'POST', body: { name: 'a' } })).toMatchObject({ status: 201, body: { name: 'a', tags: [] } });
});

test('ignores schema keywords that fastify would interpret', async () => {
  expect((await http.ask('/api/odd', { method: 'POST', body: { a: 1 } })).body).toEqual({ ok: true });
  expect(await http.ask('/api/odd', { method: 'POST', body: {} })).toMatchObject({ status: 400, body: { error: { details: { pointer: '/a' } } } });
});

test('rejects a body that is not JSON', async () => {
  const answer = await http.ask('/api/things', { method: 'POST', raw: '{"name":', headers: { 'content-type': 'application/json' } });
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', details: { rule: 'json' } } } });
});

test('reads an empty JSON body as an empty object', async () => {
  expect(await http.ask('/api/optional', { method: 'POST', raw: '', headers: { 'content-type': 'application/json' } })).toMatchObject({
    status: 200,
    body: {},
  });
});

test('rejects body fields on a route without a body', async () => {
  expect((await http.ask('/api/bare', { method: 'POST', body: {} })).status).toBe(200);
  expect(await http.ask('/api/bare', { method: 'POST', body: { x: 1 } })).toMatchObject({ status: 400, body: { error: { details: { pointer: '/x' } } } });
});

test.each([
  ['nothing', {}],
  ['text', { 'content-type': 'text/plain' }],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['a list of content types', { 'content-type': 'text/plain, application/json' }],
])('rejects a POST that declares %s as its content type', async (_, headers) => {
  const answer = await http.ask('/api/bare', { method: 'POST', raw: '{}', headers });
  expect(answer).toMatchObject({ status: 415, body: { error: { code: 'unsupported_media_type' } } });
});

test('a DELETE needs no body, and a body must be JSON', async () => {
  expect((await http.ask('/api/things/7', { method: 'DELETE' })).body).toEqual({ id: '7' });
  expect((await http.ask('/api/things/7', { method: 'DELETE', raw: 'x', headers: { 'content-type': 'text/plain' } })).status).toBe(415);
});

test('rejects a body over the limit with a readable 413 that names the limit', async () => {
  const body = { text: 'x'.repeat(3_000_000) };
  expect(await http.ask('/api/small', { method: 'POST', body })).toMatchObject({
    status: 413,
    body: { error: { code: 'too_large', details: { limit: 100 } } },
  });
  const fetched = await fetch(`${http.url}/api/things`, {
    method: 'POST',
    headers: { authorization: `Bearer ${http.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: body.text }),
  });
  expect([fetched.status, (await fetched.json()).error.details.limit]).toEqual([413, 1_048_576]);
});

test('limits a body of unknown length too', async () => {
  const text = new Blob([JSON.stringify({ text: 'x'.repeat(500) })]).stream();
  const headers = { authorization: `Bearer ${http.token}`, 'content-type': 'application/json' };
  expect((await fetch(`${http.url}/api/small`, { method: 'POST', headers, body: text, duplex: 'half' } as RequestInit)).status).toBe(413);
});

test('a page sets its own content type and content security policy', async () => {
  expect(await http.ask('/page', { token: false })).toMatchObject({
    status: 200,
    text: '<p>hi',
    headers: { 'content-type': 'text/html', 'content-security-policy': "default-src 'self'", 'x-content-type-options': 'nosniff' },
  });
});

test.each([
  ['GET', '/nowhere'],
  ['POST', '/api/plain'],
  ['PUT', '/api/things/7'],
  ['HEAD', '/api/plain'],
  ['OPTIONS', '/api/plain'],
])('%s %s returns 404', async (method, path) => {
  const answer = await http.ask(path, { method, headers: { 'content-type': 'application/json' } });
  expect(answer.status).toBe(404);
  if (method !== 'HEAD') expect(answer.body.error).toMatchObject({ code: 'not_found', requestId: expect.stringMatching(/^req_[0-9A-Z]{26}$/) });
});

test.each(['/api/%', '/api/%zz', `/api/things/${'x'.repeat(600)}`])('rejects the malformed path %.20s', async (path) => {
  expect(await http.ask(path)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', requestId: expect.any(String) } } });
});
