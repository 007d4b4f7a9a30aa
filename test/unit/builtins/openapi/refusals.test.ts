import { expect, test } from 'vitest';
import { connect, documentWith, startOpenapi } from './local-api.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const harness = useAll(() => startOpenapi());

const baseUrl = 'http://127.0.0.1:9';
const pets = { '/pets': { get: { operationId: 'listPets' } } };

test.each<[string, object, number, string, RegExp]>([
  ['a Swagger document', { spec: { swagger: '2.0', paths: {} } }, 422, 'version_too_old', /Convert it to OpenAPI 3/],
  ['an AsyncAPI document', { spec: { asyncapi: '3.0.0' } }, 422, 'not_openapi', /an AsyncAPI document/],
  ['a Postman collection', { spec: { info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/' } } }, 422, 'not_openapi', /Postman/],
  ['a JSON Schema', { spec: '{"$schema":"x","type":"object"}' }, 422, 'not_openapi', /a JSON Schema/],
  ['a web page', { spec: '<!doctype html><p>Hello' }, 422, 'not_openapi', /a web page/],
  ['plain text', { spec: 'Hello there' }, 422, 'not_openapi', /plain text/],
  ['a list', { spec: [1] }, 422, 'not_openapi', /a list/],
  ['an empty text', { spec: '' }, 422, 'not_openapi', /plain text|empty/],
  ['a future version', { spec: { openapi: '4.0.0' } }, 422, 'not_openapi', /version '4.0.0'/],
  ['broken YAML', { spec: 'openapi: [3.1.0\npaths: {' }, 422, 'not_readable', /neither JSON nor YAML/],
  ['a document without operations', { spec: documentWith({}), baseUrl }, 422, 'no_operations', /no operations/],
  ['a document without a server', { spec: documentWith(pets) }, 422, 'no_base_url', /set baseUrl/],
  ['a relative server URL without a document URL', { spec: documentWith(pets, { servers: [{ url: '/v1' }] }) }, 422, 'no_base_url', /\/v1/],
  ['a server URL with an undefined variable', { spec: documentWith(pets, { servers: [{ url: 'https://{host}/' }] }) }, 422, 'no_base_url', /\{host\}/],
  [
    'a server on this machine',
    { spec: documentWith(pets, { servers: [{ url: 'http://169.254.169.254/latest' }] }) },
    422,
    'base_url_private',
    /set it as baseUrl/,
  ],
  ['a server URL with a password', { spec: documentWith(pets), baseUrl: 'https://me:secret@example.com' }, 400, 'base_url_invalid', /baseUrl must be/],
  ['a server that is not a web URL', { spec: documentWith(pets), baseUrl: 'file:///etc' }, 400, 'base_url_invalid', /file:/],
  [
    'account tokens for a server named only by the document',
    { spec: documentWith(pets, { servers: [{ url: 'https://api.example.com' }] }), auth: { kind: 'oauth', provider: 'github' } },
    400,
    'base_url_needed',
    /https:\/\/api\.example\.com/,
  ],
  ['neither a document nor a URL', {}, 400, 'source_missing', /either specUrl/],
  ['both a document and a URL', { spec: documentWith(pets), specUrl: 'https://example.com' }, 400, 'source_missing', /either specUrl/],
  ['a file URL', { specUrl: 'file:///etc/passwd' }, 400, 'spec_url_invalid', /http or https/],
  ['an unreachable URL', { specUrl: 'http://127.0.0.1:9/spec' }, 422, 'not_fetched', /127\.0\.0\.1:9\/spec: connection refused\.$/],
  ['a reference to a file', { spec: documentWith({ '/a': { $ref: 'file:///etc/passwd' } }), baseUrl }, 422, 'foreign_reference', /file:\/\/\/etc\/passwd/],
  ['an invalid name', { name: '../x', spec: documentWith(pets), baseUrl }, 400, 'invalid_request', /name/],
  [
    'a header with a line break',
    { spec: documentWith(pets), baseUrl, auth: { kind: 'header', name: 'x', value: 'a\r\nb: c' } },
    400,
    'credential_invalid',
    /U\+000D at position/,
  ],
])('rejects %s with a reason', async (_, body, status, code, message) => {
  const reply = await connect(harness, body);
  expect([reply.status, reply.body.error?.code]).toEqual([status, code]);
  expect(reply.body.error.message).toMatch(message);
  expect((await harness.call('GET', '/api/integrations')).body.connections).toEqual([]);
});
