// Tests body kinds: JSON, form, bytes and stream.
import { Readable } from 'node:stream';
import * as Type from 'typebox';
import { expect, test } from 'vitest';
import { openHttp, routes, type Answer } from './open-http.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const fields = { body: Type.Object({ name: Type.String(), count: Type.Optional(Type.Integer()) }, { additionalProperties: false }) };

let partlyRead = 0;
const http = useEach(async () =>
  openHttp({
    some: routes(
      { key: 'POST /json', schema: fields, handle: ({ body }) => body },
      { key: 'POST /form', schema: fields, bodyKind: 'form', handle: ({ body }) => body },
      { key: 'POST /free-form', bodyKind: 'form', schema: { body: Type.Object({}) }, handle: ({ body }) => body },
      { key: 'POST /raw', bodyKind: 'raw', bodyLimit: 10, handle: ({ body }: any) => ({ isBuffer: Buffer.isBuffer(body), text: body.toString('latin1') }) },
      { key: 'POST /stream', bodyKind: 'stream', bodyLimit: 1_000_000, handle: async ({ body }: any) => ({ bytes: await countBytes(body) }) },
      { key: 'POST /unread', bodyKind: 'stream', handle: ({ body }: any) => ({ isStream: body instanceof Readable }) },
      { key: 'POST /partly', bodyKind: 'stream', bodyLimit: 1_000_000, handle: readPartly },
    ),
  }),
);

async function countBytes(body: Readable): Promise<number> {
  let bytes = 0;
  for await (const chunk of body) bytes += (chunk as Buffer).byteLength;
  return bytes;
}

async function readPartly({ body }: any): Promise<object> {
  for await (const chunk of body) {
    partlyRead = (chunk as Buffer).byteLength;
    break;
  }
  return { ok: true };
}

const form = 'application/x-www-form-urlencoded';
const send = (path: string, raw: string | Buffer, type?: string): Promise<Answer> =>
  http.ask(path, { method: 'POST', raw, headers: type === undefined ? {} : { 'content-type': type } });

test('a form is validated like JSON, and its text is converted to the schema types', async () => {
  expect((await send('/form', 'name=a+b%26&count=7', form)).body).toEqual({ name: 'a b&', count: 7 });
  expect((await send('/form', '{"name":"a","count":7}', 'application/json')).body).toEqual({ name: 'a', count: 7 });
  expect((await send('/form', 'name=a', `${form}; charset=utf-8`)).body).toEqual({ name: 'a' });
  expect((await send('/form', '{"name":"a","count":"7"}', 'application/json')).body.error.code).toBe('invalid_request');
  expect((await send('/form', 'name=a&more=1', form)).body.error).toMatchObject({ code: 'invalid_request', details: { pointer: '/more' } });
  expect((await send('/form', 'count=x&name=a', form)).body.error).toMatchObject({ code: 'invalid_request', details: { pointer: '/count' } });
});

test('a form cannot change an object prototype', async () => {
  for (const name of ['__proto__', '%5F_proto__']) expect((await send('/free-form', `${name}=x`, form)).status).toBe(400);
  expect((await send('/free-form', 'constructor=x&a=1&a=2', form)).body).toEqual({ constructor: 'x', a: ['1', '2'] });
});

test('rejects content types that the route does not accept', async () => {
  expect((await send('/json', 'name=a', form)).body.error.code).toBe('unsupported_media_type');
  for (const type of ['text/plain', 'multipart/form-data', undefined]) expect((await send('/form', 'name=a', type)).status).toBe(415);
});

test('a browser gets an HTML page when its form is rejected', async () => {
  const headers = { 'content-type': form, accept: 'text/html' };
  const refused = await http.ask('/form', { method: 'POST', raw: 'more=1', headers });
  expect([refused.status, refused.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
});

test('raw bytes of any content type arrive unchanged, up to the limit', async () => {
  for (const type of ['application/json', 'image/png', form, undefined])
    expect((await send('/raw', Buffer.from([0x7b, 0xff, 0x00]), type)).body).toEqual({ isBuffer: true, text: '{\u00ff\u0000' });
  expect((await http.ask('/raw', { method: 'POST' })).body).toEqual({ isBuffer: true, text: '' });
  expect((await send('/raw', 'x'.repeat(11))).body.error).toMatchObject({ code: 'too_large', details: { limit: 10 } });
});

test('a stream arrives in full, up to the limit', async () => {
  expect((await send('/stream', Buffer.alloc(1_000_000), 'video/mp4')).body).toEqual({ bytes: 1_000_000 });
  expect((await http.ask('/stream', { method: 'POST' })).body).toEqual({ bytes: 0 });
  expect((await send('/stream', Buffer.alloc(1_000_001), 'video/mp4')).body.error).toMatchObject({ code: 'too_large', details: { limit: 1_000_000 } });
});

test('an unread body does not block the connection', async () => {
  for (const path of ['/unread', '/partly']) expect((await send(path, Buffer.alloc(900_000), 'video/mp4')).status).toBe(200);
  expect(partlyRead).toBeGreaterThan(0);
});

test('every body kind requires the token', async () => {
  for (const path of ['/form', '/raw', '/stream']) expect((await http.ask(path, { method: 'POST', token: false, raw: 'a' })).status).toBe(401);
});

test('the OpenAPI document lists the content types of a route', () => {
  const { paths } = http.kernel.resolve('http').openapi() as any;
  const types = (path: string): string[] => Object.keys(paths[path].post.requestBody.content);
  expect([types('/json'), types('/form'), types('/raw')]).toEqual([['application/json'], ['application/json', form], ['application/octet-stream']]);
});

test('half a surrogate pair in a JSON body becomes U+FFFD before the route reads it', async () => {
  expect((await send('/json', '{"name":"hi \\ud83d there \\ud83d\\ude00"}', 'application/json')).body).toEqual({ name: 'hi \ufffd there 😀' });
});
