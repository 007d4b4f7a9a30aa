// Tests the permissions of paired devices by role: on every route, over a WebSocket, and for slash commands.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDesktopSocket } from '../../../helpers/desktop-socket.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';

type Role = 'view' | 'chat' | 'full';
interface Operation {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly permission: string | undefined;
}

let harness: Harness;
let operations: readonly Operation[] = [];
const tokens: Partial<Record<Role, string>> = {};
const ids: Partial<Record<Role, string>> = {};

/** The expected permissions, independent of the code that grants them. */
const granted: Readonly<Record<'view' | 'chat', readonly (string | undefined)[]>> = {
  view: ['chats.read', 'server.read'],
  chat: ['chats.read', 'chats.write', 'server.read'],
};

async function pair(role?: Role, name = role ?? 'usual'): Promise<{ token: string; device: { id: string; role: Role } }> {
  const { body } = await harness.call('POST', '/api/pair/begin', role ? { role } : {});
  return (await harness.call('POST', '/api/pair', { code: body.code, deviceName: name })).body;
}

const bearer = (token = ''): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** Returns as soon as the reply starts, because a stream does not end. */
async function ask({ method, path }: Pick<Operation, 'method' | 'path'>, token?: string): Promise<{ status: number; code?: string; message?: string }> {
  const leave = new AbortController();
  const takesBody = method !== 'GET' && method !== 'DELETE';
  const reply = await fetch(harness.url + path, {
    ...{ method, signal: leave.signal },
    headers: { ...bearer(token), ...(takesBody ? { 'content-type': 'application/json' } : {}) },
    ...(takesBody ? { body: '{"nothing":"known"}' } : {}),
  });
  const error = reply.status >= 400 ? (await reply.json()).error : undefined;
  leave.abort();
  return { status: reply.status, ...(error ? { code: error.code, message: error.message } : {}) };
}

beforeAll(async () => {
  harness = await startHarness();
  const document: any = harness.kernel.resolve('http').openapi();
  operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods)
      .filter(([, one]) => one['x-role'] !== undefined)
      .map(([method, one]) => ({
        ...{ key: `${method.toUpperCase()} ${path}`, method: method.toUpperCase(), permission: one['x-permission'] as string | undefined },
        path: path.replace(/\{\w+\}/g, 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
      })),
  );
  for (const role of ['view', 'chat', 'full'] as const) {
    const { token, device } = await pair(role);
    expect(device.role).toBe(role);
    [tokens[role], ids[role]] = [token, device.id];
  }
});
afterAll(() => harness.close());

test.each(['view', 'chat'] as const)('denies a device with role %s exactly the routes above its role', async (role) => {
  expect(operations.length).toBeGreaterThan(80);
  for (const operation of operations) {
    const { status, code, message } = await ask(operation, tokens[role]);
    if (granted[role].includes(operation.permission)) expect([401, 403], `${operation.key} ${status}`).not.toContain(status);
    else expect([operation.key, status, code, message], role).toEqual([operation.key, 403, 'forbidden', expect.stringContaining('owner')]);
  }
});

test('allows a full device to read every route that the owner may read', async () => {
  for (const operation of operations.filter(({ method, permission }) => method === 'GET' && permission !== 'remote_guest.read'))
    expect([401, 403], operation.key).not.toContain((await ask(operation, tokens.full)).status);
});

test('returns the rights of each device, and never the web token to a limited one on this machine', async () => {
  const rightsOf = async (token?: string): Promise<unknown> =>
    (await harness.call('GET', '/api/config', undefined, bearer(token ?? harness.token))).body.rights;
  expect(await rightsOf()).toEqual({ role: 'owner' });
  expect(await rightsOf(tokens.full)).toEqual({ role: 'owner' });
  expect(await rightsOf(tokens.view)).toEqual({ role: 'viewer', areas: ['chats', 'server'] });
  expect(await rightsOf(tokens.chat)).toEqual({ role: 'member', areas: ['chats', 'server'] });
  for (const token of [tokens.view, tokens.chat]) {
    expect(JSON.stringify((await harness.call('GET', '/api/config', undefined, bearer(token))).body)).not.toContain(harness.token);
    const socket = await openDesktopSocket(harness, { token: token ?? '' });
    expect(JSON.stringify(await socket.ask('config'))).not.toContain(harness.token);
  }
});

test.each(['view', 'chat'] as const)('denies a device with role %s the same routes over a WebSocket', async (role) => {
  const socket = await openDesktopSocket(harness, { token: tokens[role] ?? '' });
  for (const { key, permission } of operations) {
    if (granted[role].includes(permission)) continue;
    const reply = await socket.ask(key.replace(/\{(\w+)\}/g, ':$1'), {
      params: Object.fromEntries([...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'x'])),
    });
    if (reply.error?.code !== 'only_in_http') expect([key, reply.status, reply.error?.code]).toEqual([key, 403, 'forbidden']);
  }
});

test('denies owner slash commands to limited devices over every transport, and does not run `/call`', async () => {
  const { commands } = (await harness.call('GET', '/api/commands')).body;
  const names: readonly string[] = commands.map(({ name }: any) => name);
  const open = ['compact', 'heartbeat', 'help', 'retry', 'view'];
  expect(names).toEqual(expect.arrayContaining(['call', 'mode', 'model', 'remote', 'undo', ...open]));
  const [view, chat] = [bearer(tokens.view), bearer(tokens.chat)];
  const socket = await openDesktopSocket(harness, { token: tokens.chat ?? '' });
  for (const name of names.filter((one) => !open.includes(one))) {
    expect([name, (await harness.call('POST', '/api/commands', { name }, chat)).status]).toEqual([name, 403]);
    expect([name, (await socket.ask('slash_command', { name })).status]).toEqual([name, 403]);
    expect([name, (await harness.call('POST', '/api/commands', { name }, view)).status]).toEqual([name, 403]);
  }
  for (const name of open) expect([name, (await harness.call('POST', '/api/commands', { name }, view)).status]).toEqual([name, 403]);
  expect((await harness.call('POST', '/api/commands', { name: 'help' }, chat)).status).toBe(200);
  const { chatId } = (await harness.call('POST', '/api/chats', {})).body;
  const sent = await socket.ask('subscribe', { chatId });
  expect(sent.ok).toBe(true);
  await socket.ask('send_message', { text: '/call write_file {"path":"made.txt","content":"x"}' });
  await socket.until(({ event }) => event === 'turn_end');
  const { body } = await harness.call('GET', `/api/chats/${chatId}/transcript`);
  expect(JSON.stringify(body)).toContain("Your permissions do not allow '/call'");
  expect(JSON.stringify(body)).not.toContain('"kind":"tool"');
});

test('gives a new device the chat role, and ends its open streams when the role changes', async () => {
  const { token, device } = await pair();
  expect(device.role).toBe('chat');
  const send = async (): Promise<number> => (await harness.call('POST', '/api/session/abort', {}, bearer(token))).status;
  expect(await send()).not.toBe(403);
  const stream = await fetch(`${harness.url}/api/stream`, { headers: bearer(token) });
  const socket = await openDesktopSocket(harness, { token });
  const changed = await harness.call('PATCH', `/api/pair/devices/${device.id}`, { role: 'view' });
  expect(changed.body).toEqual({ device: { ...device, role: 'view', lastSeenAt: expect.any(String) } });
  expect(await stream.text()).toContain('connected'); // The stream has ended.
  expect(await socket.closed).toBe(1008);
  expect(await send()).toBe(403);
  await harness.call('PATCH', `/api/pair/devices/${device.id}`, { role: 'full' });
  expect((await harness.call('GET', '/api/settings', undefined, bearer(token))).status).toBe(200);
  await harness.call('DELETE', `/api/pair/devices/${device.id}`);
  expect(await send()).toBe(401);
  const gone = await harness.call('PATCH', `/api/pair/devices/${device.id}`, { role: 'view' });
  expect([gone.status, gone.body.error.code]).toEqual([404, 'not_found']);
  expect((await harness.call('POST', '/api/pair/begin', { role: 'owner' })).status).toBe(400);
});

test('keeps full rights for a device stored without a role and rejects one with an unknown role', async () => {
  const path = join(harness.home, 'paired_devices.json');
  const home = harness.home;
  await harness.close({ keepFiles: true });
  const file = JSON.parse(await readFile(path, 'utf8'));
  for (const device of file.devices) {
    if (device.id === ids.full) delete device.role;
    if (device.id === ids.view) device.role = 'root';
  }
  await writeFile(path, JSON.stringify(file));
  harness = await startHarness({ home });
  expect((await harness.call('GET', '/api/settings', undefined, bearer(tokens.full))).status).toBe(200);
  expect((await harness.call('GET', '/api/chats', undefined, bearer(tokens.view))).status).toBe(401);
  expect((await harness.call('GET', '/api/chats', undefined, bearer(tokens.chat))).status).toBe(200);
  expect((await harness.call('GET', '/api/settings', undefined, bearer(tokens.chat))).status).toBe(403);
  const { devices } = (await harness.call('GET', '/api/pair/devices')).body;
  expect(devices.find(({ id }: any) => id === ids.full).role).toBe('full');
});
