import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { startHarness, useAll } from '../../helpers/in-process.ts';
import { rawRequest } from '../../helpers/raw-request.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly body?: any;
  readonly query: readonly any[];
  /** Content types of the request body. */
  readonly types: readonly string[];
  readonly isOpen: boolean;
}

let operations: Operation[] = [];
let auth: Record<string, string>;
const harness = useAll(() => startHarness());
beforeAll(async () => {
  const { body } = await harness.call('GET', '/api/openapi.json');
  auth = { authorization: `Bearer ${harness.token}` };
  operations = Object.entries<any>(body.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      body: operation.requestBody?.content?.['application/json']?.schema,
      query: (operation.parameters ?? []).filter((one: any) => one.in === 'query'),
      types: Object.keys(operation.requestBody?.content ?? {}),
      isOpen: Array.isArray(operation.security) && (operation.security.length === 0 || operation.security.some((one: object) => Object.keys(one).length === 0)),
    })),
  );
});

const json = { 'content-type': 'application/json' };
/** Fills in well-formed ids that do not exist. */
const filled = (path: string, id = 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV'): string => path.replace(/\{\w+\}/g, id);
const isStream = (path: string): boolean => path === '/api/stream';

function expectError(reply: { status: number; body: any; text: string }, status: number | readonly number[], code?: string): void {
  expect([status].flat(), reply.text).toContain(reply.status);
  expect(reply.body?.error, reply.text).toMatchObject({
    code: code ?? expect.any(String),
    message: expect.stringMatching(/\w{3}/),
    requestId: expect.stringMatching(/^req_/),
  });
  expect(reply.text).not.toMatch(/node_modules|\.(ts|mjs|js):\d+|"stack"/);
}

async function snapshot(): Promise<unknown> {
  const settings = (await harness.call('GET', '/api/settings')).body;
  const chats = (await harness.call('GET', '/api/chats')).body;
  return { settings, chats, files: (await readdir(harness.home)).sort() };
}

describe('every route rejects', () => {
  test('a missing and a wrong token with 401', async () => {
    for (const { method, path, isOpen } of operations) {
      if (isOpen) continue;
      expectError(await rawRequest(harness.url, method, filled(path), json, method === 'GET' ? undefined : '{}'), 401, 'unauthorized');
    }
    const first = operations.find((one) => !one.isOpen && one.method === 'GET');
    expectError(await rawRequest(harness.url, 'GET', first?.path ?? '', { authorization: 'Bearer wrong' }), 401, 'unauthorized');
  });

  test.each([
    ['Host', { host: 'attacker.example' }, 'host_not_allowed'],
    ['Origin', { origin: 'https://attacker.example' }, 'origin_not_allowed'],
  ])('a foreign %s with 403, with or without a token and without details', async (_, foreign, code) => {
    for (const { method, path } of operations) {
      for (const known of [auth, {}]) {
        const reply = await rawRequest(harness.url, method, filled(path), { ...known, ...json, ...foreign }, method === 'GET' ? undefined : '{}');
        expectError(reply, 403, code);
        expect(reply.text).not.toContain(harness.token);
        expect(reply.headers['access-control-allow-origin']).toBeUndefined();
      }
    }
  });

  test('an unknown field of the body with 400', async () => {
    for (const { method, path, body } of operations) {
      if (!body) continue;
      expectError(await rawRequest(harness.url, method, filled(path), { ...auth, ...json }, '{"no_such_field":1}'), 400, 'invalid_request');
    }
  });

  test('a body that is not an object or not JSON with 400', async () => {
    for (const { method, path, body } of operations) {
      if (!body) continue;
      for (const text of ['[]', '5', '"x"', '{"text":', '{"__proto__":{"x":1}}'])
        expectError(await rawRequest(harness.url, method, filled(path), { ...auth, ...json }, text), 400, 'invalid_request');
    }
  });

  test('a wrong type in each body field with 400', async () => {
    for (const { method, path, body } of operations) {
      for (const [field, schema] of Object.entries<any>(body?.properties ?? {})) {
        if (schema.type === undefined && !schema.anyOf && schema.const === undefined) continue;
        const wrong = schema.type === 'object' ? [] : { odd: [true] };
        expectError(await rawRequest(harness.url, method, filled(path), { ...auth, ...json }, JSON.stringify({ [field]: wrong })), 400, 'invalid_request');
      }
    }
  });

  const largeBodies = ['/api/message', '/api/integrations/openapi', '/api/audio/upload', '/api/chats/import'];
  test('an oversized body with 413', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(1_100_000) });
    for (const { method, path, body: schema } of operations) {
      if (!schema) continue;
      const reply = await rawRequest(harness.url, method, filled(path), { ...auth, ...json }, body);
      // Routes for attachments or documents have a higher limit and reject the content instead.
      expectError(reply, [413, 400]);
      if (!largeBodies.includes(path)) expect(reply.status, path).toBe(413);
    }
  });

  test('another content type with 415', async () => {
    for (const { method, path, body, types } of operations) {
      if (!body) continue;
      // The OpenAPI document lists further accepted content types.
      for (const type of ['text/plain', 'application/x-www-form-urlencoded'].filter((one) => !types.includes(one)))
        expectError(await rawRequest(harness.url, method, filled(path), { ...auth, 'content-type': type }, 'text=x'), 415);
    }
  });

  test('an invalid id or a path traversal with 404 or 400', async () => {
    for (const { method, path } of operations) {
      if (!path.includes('{')) continue;
      for (const id of ['none', '..', '%2e%2e', '..%2f..%2fetc%2fpasswd', 'chat_%00', "chat_01ARZ3NDEKTSV4RRFFQ69G5FAV'--"]) {
        expectError(await rawRequest(harness.url, method, filled(path, id), { ...auth, ...json }, method === 'GET' ? undefined : '{}'), [404, 400, 415]);
      }
    }
  });

  test('an invalid chatId with 404 or 400', async () => {
    for (const { method, path, body, query } of operations) {
      const bad = ['none', '../../../etc/passwd', 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV'];
      if (query.some((one) => one.name === 'chatId')) {
        // Usage includes deleted chats, so an unknown chat gives an empty reply there.
        const refused = path === '/api/usage' ? bad.slice(0, 2) : bad;
        for (const id of refused) {
          const address = `${filled(path)}?chatId=${encodeURIComponent(id)}`;
          expectError(await rawRequest(harness.url, method, address, { ...auth, ...(body ? json : {}) }, body ? '{}' : undefined), [404, 400]);
        }
      }
      if (body?.properties?.chatId) {
        for (const id of bad)
          expectError(
            await rawRequest(harness.url, method, filled(path), { ...auth, ...json }, JSON.stringify({ chatId: id, text: 'x', mode: 'soft', name: 'help' })),
            [404, 400],
          );
      }
    }
  });

  test('an unknown path and an unknown method with 404', async () => {
    expectError(await rawRequest(harness.url, 'GET', '/api/nothing', auth), 404, 'not_found');
    expectError(await rawRequest(harness.url, 'PATCH', '/api/status', { ...auth, ...json }, '{}'), 404, 'not_found');
    expectError(await rawRequest(harness.url, 'GET', '/../../etc/passwd', auth), 404, 'not_found');
  });
});

test('rejected requests change nothing', async () => {
  const before = await snapshot();
  for (const { method, path } of operations) {
    if (isStream(path) || method === 'GET') continue;
    await rawRequest(harness.url, method, filled(path), { ...auth, ...json, origin: 'https://attacker.example' }, '{}');
    await rawRequest(harness.url, method, filled(path), { ...auth, ...json }, '{"no_such_field":1}');
  }
  expect(await snapshot()).toEqual(before);
});

test('the OpenAPI document has version 3.1 and lists more than 30 operations', async () => {
  const { body } = await harness.call('GET', '/api/openapi.json');
  expect(body.openapi).toMatch(/^3\.1/);
  expect(operations.length).toBeGreaterThan(30);
});
