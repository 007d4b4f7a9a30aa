// Tests attacks by people with a viewer code or only the address.
import { request } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { joinAsGuest, watchAsGuest } from '../../helpers/mirrored-window.ts';
import { rawRequest } from '../../helpers/raw-request.ts';
import { field, free, own, useRemoteWorld } from './remote-world.ts';

const world = useRemoteWorld();

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const isEnding = (state: number): boolean => state === WebSocket.CLOSING || state === WebSocket.CLOSED;

/** Returns the HTTP status of a refused handshake, or the close code. */
async function handshake(url: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(url, { headers });
  return new Promise((resolve) => {
    socket.once('unexpected-response', (_, answer) => resolve(answer.statusCode ?? 0));
    socket.once('close', (code) => resolve(code));
    socket.on('error', () => undefined);
  });
}

test('the listener for viewers answers nothing but guests: no other route, Host, Origin or token', async () => {
  const code = await world.open();
  const endpoint = world.endpointOf(code);
  const { token } = world.harness;
  for (const path of ['/', '/api/chats', '/api/remote', '/api/settings', '/api/status', '/api/openapi.json'])
    expect((await rawRequest(endpoint, 'GET', path, { authorization: `Bearer ${token}` })).status).toBe(404);
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ code: code.code });
  const rebound = await new Promise<number>((resolve) => {
    const asking = request(`${endpoint}/remote/join`, { method: 'POST', headers: { ...json, host: 'evil.example' } }, (reply) =>
      resolve(reply.statusCode ?? 0),
    );
    asking.end(body);
  });
  expect(rebound).toBe(403);
  expect((await rawRequest(endpoint, 'POST', '/remote/join', { ...json, origin: 'https://evil.example' }, body)).status).toBe(403);
  const stream = `${endpoint.replace('http', 'ws')}/remote/ui/stream`;
  const guest = await joinAsGuest(endpoint, code.code);
  expect(await handshake(`${stream}?join=${guest}`, { origin: 'https://evil.example' })).toBe(403);
  expect(await handshake(`${stream}?join=${guest}`, { origin: world.harness.url })).toBe(403);
  expect(await handshake(`${stream}?join=${'0'.repeat(64)}`, {})).toBe(401);
  expect(await handshake(stream, {})).toBe(401);
  expect(await handshake(`${stream}?join=${token}`, {})).toBe(1008);
  for (const path of ['/api/chats', '/api/remote', '/api/stream'])
    expect((await rawRequest(world.harness.url, 'GET', path, { authorization: `Bearer ${guest}` })).status).toBe(403);
});

test('disconnects viewers of a revoked code, and a dismissed viewer, before it replies', async () => {
  const code = await world.open();
  const [first, second] = [await world.come(code), await world.come(code)];
  await Promise.all([first.frame(), second.frame()]);
  const { guestId } = await first.message('welcome');
  await world.harness.call('DELETE', `/api/remote/guests/${guestId}`);
  await nextTick();
  expect([first.socket.readyState, second.socket.readyState]).toEqual([expect.toSatisfy(isEnding), WebSocket.OPEN]);
  expect((await world.harness.call('DELETE', `/api/remote/guests/${guestId}`)).body.error.code).toBe('guest_not_found');
  await world.harness.call('DELETE', `/api/remote/${code.code}`);
  await nextTick();
  expect(second.socket.readyState).toSatisfy(isEnding);
  expect(await second.message('ended')).toMatchObject({ reason: 'This session has ended.' });
  expect((await world.harness.call('DELETE', `/api/remote/${code.code}`)).body.error.code).toBe('code_not_found');
  await expect.poll(() => world.window.sessions).toBe(0);
});

test('rejects decisions of the window page right after viewer input, but accepts those of other devices', async () => {
  const guest = await world.comeToControl();
  const { guestId } = await guest.message('welcome');
  /** Requests with the token of the page that the viewer controls. */
  const asPage = (path: string, body: object) => world.harness.call('POST', path, body, { authorization: `Bearer ${world.window.token}` });
  const approve = { approvalId: 'appr_x', decision: 'approve' };
  expect((await asPage('/api/approve', approve)).body.error.code).toBe('not_found');
  const pressing = setInterval(() => guest.click(free), 250);
  onTestFinished(() => clearInterval(pressing));
  await expect.poll(() => world.window.page.textContent('#free')).toMatch(/^pressed/);
  const approval = await asPage('/api/approve', approve);
  expect([approval.status, approval.body.error.code]).toEqual([403, 'answer_refused']);
  expect((await asPage('/api/answer', { askId: 'ask_x', answer: 'yes' })).body.error.code).toBe('answer_refused');
  expect((await asPage('/api/remote', { role: 'control', transport: 'lan' })).body.error.code).toBe('guest_acted');
  expect((await asPage('/api/commands', { name: 'remote', args: 'control' })).body.error.code).toBe('guest_acted');
  expect((await asPage(`/api/remote/guests/${guestId}`, { mayDecide: true })).body.error.code).toBe('guest_acted');
  expect((await world.harness.call('POST', '/api/approve', approve)).body.error.code).toBe('not_found');
  expect((await world.harness.call('POST', '/api/answer', { askId: 'ask_x', answer: 'yes' })).body.error.code).toBe('not_found');
  expect((await world.open('view')).role).toBe('view');
  clearInterval(pressing);
  // The page may decide again after a short time without viewer input.
  await expect.poll(async () => (await asPage(`/api/remote/guests/${guestId}`, { mayDecide: true })).status).toBe(200);
  const settings = guest.click(own);
  await guest.message('refused', ({ input }) => input === settings);
  await world.window.page.evaluate(() => document.querySelector('#own')?.setAttribute('data-guest-decision', ''));
  guest.click(own);
  await expect.poll(() => world.window.page.title()).toBe('approved');
  expect((await asPage('/api/approve', approve)).body.error.code).toBe('not_found');
});

test('limits the input rate and keeps the window usable', async () => {
  const guest = await world.comeToControl();
  guest.click(field);
  await guest.message('focus', ({ editable }) => editable);
  for (let sent = 0; sent < 1_000; sent++) guest.input({ type: 'text', text: 'x' });
  await guest.message('refused', ({ reason }) => reason === 'rate');
  const n = guest.input({ type: 'release' });
  expect(n).toBeGreaterThan(300);
  await expect.poll(async () => (await world.window.page.inputValue('#field')).length).toBeGreaterThan(10);
  expect((await world.window.page.inputValue('#field')).length).toBeLessThan(300);
  expect((await world.state()).guests).toHaveLength(1);
  await world.window.page.evaluate(() => (document.title = 'alive'));
  expect(await world.window.page.title()).toBe('alive');
});

test.each([
  ['10 MB at once', 'x'.repeat(10_000_000), 1009],
  ['another version', JSON.stringify({ v: 2, type: 'ping', at: 1 }), 1008],
  ['an unknown kind', JSON.stringify({ v: 1, type: 'constructor' }), 1008],
  ['a non-message', 'hello', 1008],
  ['an overlong key', JSON.stringify({ v: 1, type: 'key', n: 1, seq: 1, geometry: 1, key: 'x'.repeat(99), code: '', modifiers: 0, down: true }), 1008],
])('closes the connection with a specific code on %s', async (_, text, code) => {
  const guest = await world.comeToControl();
  guest.socket.send(text);
  expect(await guest.closed).toBe(code);
  expect(world.harness.logs.filter((line) => line.startsWith('error'))).toEqual([]);
});

test('sends one frame to a viewer that never acknowledges and does not slow down others', async () => {
  const code = await world.open();
  const silent = await world.come(code, { acks: false });
  const quick = await world.come(code);
  await silent.frame();
  await quick.frame();
  for (let turn = 0; turn < 6; turn++) {
    await world.window.page.evaluate((color) => (document.body.style.background = color), `rgb(${turn * 40},0,0)`);
    const before = quick.frames.length;
    await quick.frame((frame) => quick.frames.indexOf(frame) >= before);
  }
  expect(silent.frames).toHaveLength(1);
});

test('logs remote sessions without codes or tokens', async () => {
  const code = await world.open('control', { singleUse: true });
  const token = await joinAsGuest(world.endpointOf(code), code.code, ' Ann\n\u202e phone ');
  const guest = await watchAsGuest(world.endpointOf(code), token);
  await guest.frame();
  expect(await joinAsGuest(world.endpointOf(code), code.code).catch(({ status }: { status: number }) => status)).toBe(403);
  const again = await watchAsGuest(world.endpointOf(code), token);
  await guest.closed;
  await again.frame();
  again.close();
  await expect.poll(async () => (await world.state()).guests).toEqual([]);
  await world.harness.call('DELETE', '/api/remote');
  await expect
    .poll(async () =>
      (await readFile(join(world.harness.home, 'remote.jsonl'), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).what),
    )
    .toEqual(['code', 'joined', 'left', 'joined', 'left', 'ended']);
  const log = await readFile(join(world.harness.home, 'remote.jsonl'), 'utf8');
  expect(log).toContain('"name":"Ann phone"');
  expect([log.includes(code.code), log.includes(token)]).toEqual([false, false]);
});

test('issues no code without a window or for an unavailable transport', async () => {
  expect((await world.open('view', { transport: 'cloud' })).error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('cloud relay') });
  world.window.closeWindow();
  expect((await world.open()).error).toMatchObject({ code: 'unavailable', message: expect.stringContaining("'app desktop'") });
  expect(await world.state()).toMatchObject({ available: false, reason: expect.stringContaining("'app desktop'") });
});
