// Compares every JSON route over HTTP and over a WebSocket: same reply, same error.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PluginModule } from 'agent-harness/kernel';
import { openDesktopSocket, type DesktopSocket, type Reply } from '../../../helpers/desktop-socket.ts';
import { startHarness, useAll } from '../../../helpers/in-process.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly command: string;
  readonly permission?: string;
  readonly hasBody: boolean;
  readonly query: readonly string[];
  readonly isOpen: boolean;
}

let owner: DesktopSocket;
let viewer: DesktopSocket;
let operations: Operation[] = [];

const guests = {
  manifest: { name: 'guests' },
  register(registry: any) {
    const identify = (token: string): unknown => (token === 'viewer' ? { kind: 'guest', id: 'v', role: 'viewer' } : undefined);
    registry.add('token_source', { name: 'guests', identify, isSetUp: () => false });
  },
} as unknown as PluginModule<never>;

const harness = useAll(() => startHarness({ modules: { guests } }));
beforeAll(async () => {
  const document: any = harness.kernel.resolve('http').openapi();
  const isJson = (operation: any): boolean =>
    Object.entries<any>(operation.responses).every(
      ([status, { content }]) => !status.startsWith('2') || content === undefined || 'application/json' in content,
    );
  operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods)
      .filter(([, operation]) => isJson(operation))
      .map(([method, operation]) => ({
        ...{ method: method.toUpperCase(), path, command: operation['x-command'], permission: operation['x-permission'] },
        key: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
        hasBody: operation.requestBody?.content['application/json'] !== undefined,
        query: (operation.parameters ?? []).filter((one: any) => one.in === 'query' && one.required).map((one: any) => one.name),
        isOpen: Array.isArray(operation.security),
      })),
  );
  [owner, viewer] = await Promise.all([openDesktopSocket(harness), openDesktopSocket(harness, { token: 'viewer' })]);
});
afterAll(async () => {
  owner.close();
  viewer.close();
});

const nobody = 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const namesIn = ({ path }: Operation): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
const fieldsOf = (names: readonly string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, nobody]));

const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null)
      .replace(/"requestId":"req_\w+"/g, '"requestId":"req"')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/_[0-9A-Z]{26}/g, '_ID')
      .replace(/"(state|connectUrl|clients|ageMs|bootMs|upTo)":("[^"]*"|\d+)/g, '"$1":0'),
  );

interface Sent {
  readonly params: Record<string, string>;
  readonly query: Record<string, string>;
  readonly body?: unknown;
}

async function bothWays(
  socket: DesktopSocket,
  operation: Operation,
  { params, query, body }: Sent,
  token?: string,
): Promise<{ http: unknown; wire: unknown[] }> {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const search = new URLSearchParams(query).toString();
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const nothing = operation.method === 'GET' || operation.method === 'DELETE' ? undefined : {};
  const sent = body === undefined ? nothing : body;
  const http = await harness.call(operation.method, search === '' ? path : `${path}?${search}`, sent, headers);
  const said = (reply: Reply): unknown => [reply.status, plain(reply.ok ? reply.data : { error: reply.error })];
  const wire = [said(await socket.ask(operation.key, { params, query, ...(body === undefined ? {} : { body }) }))];
  const isPlain = body === undefined || (typeof body === 'object' && body !== null && !Array.isArray(body));
  if (isPlain) wire.push(said(await socket.ask(operation.command, { ...params, ...query, ...body })));
  return { http: [http.status, plain(http.body)], wire };
}

function expectSame(operation: Operation, { http, wire }: { http: unknown; wire: unknown[] }): void {
  for (const one of wire) expect(one, operation.key).toEqual(http);
}

test('GET routes return the same reply', async () => {
  const reading = operations.filter(({ method }) => method === 'GET');
  expect(reading.length).toBeGreaterThan(40);
  for (const operation of reading)
    expectSame(operation, await bothWays(owner, operation, { params: fieldsOf(namesIn(operation)), query: fieldsOf(operation.query) }));
});

test('invalid bodies return the same error', async () => {
  const taking = operations.filter(({ hasBody }) => hasBody);
  expect(taking.length).toBeGreaterThan(40);
  for (const operation of taking) {
    const place = { params: fieldsOf(namesIn(operation)), query: fieldsOf(operation.query) };
    for (const body of [{ no_such_field: 1 }, [], null]) {
      const both = await bothWays(owner, operation, { ...place, body });
      expectSame(operation, both);
      expect((both.http as number[])[0], operation.key).toBeGreaterThanOrEqual(400);
    }
  }
});

test('routes above the viewer role return the same 403', async () => {
  const above = operations.filter(({ permission, isOpen }) => !isOpen && !permission?.endsWith('.read'));
  expect(above.length).toBeGreaterThan(60);
  for (const operation of above) {
    const both = await bothWays(viewer, operation, { params: fieldsOf(namesIn(operation)), query: {} }, 'viewer');
    expectSame(operation, both);
    expect((both.http as number[])[0], operation.key).toBe(403);
  }
});

test('large bodies return the same reply', async () => {
  const body = { text: 'x'.repeat(1_100_000) };
  for (const key of ['POST /api/answer', 'PUT /api/settings', 'POST /api/message']) {
    const operation = operations.find((one) => one.key === key);
    if (operation) expectSame(operation, await bothWays(owner, operation, { params: {}, query: {}, body }));
    else throw new Error(`no ${key}`);
  }
});

test('commands have unique names, and page, file and stream routes return only_in_http', async () => {
  const document: any = harness.kernel.resolve('http').openapi();
  const names = Object.values<any>(document.paths).flatMap((methods) => Object.values<any>(methods).map((operation) => operation['x-command']));
  expect(names.filter((name, at) => names.indexOf(name) !== at || !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
  for (const name of ['send_message', 'abort', 'approve', 'answer', 'chats', 'create_chat', 'settings', 'change_settings', 'speak', 'status', 'pending'])
    expect(names).toContain(name);
  for (const command of ['stream', 'root', 'GET /api/stream', 'GET /api/artifacts/:id', 'assets_name'])
    expect(await owner.ask(command)).toMatchObject({ ok: false, status: 400, error: { code: 'only_in_http' } });
});
