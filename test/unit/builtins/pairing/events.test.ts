// Tests the events of paired devices over both transports: by role, and after a change of rights during a subscription.
import { beforeAll, expect, test } from 'vitest';
import type { Emitter } from 'agent-harness/kernel';
import type { Principal } from 'agent-harness/plugins/http';
import { openDesktopSocket } from '../../../helpers/desktop-socket.ts';
import { openEventStream, startHarness, useAll } from '../../../helpers/in-process.ts';

type Role = 'view' | 'chat' | 'full';

let speak: Emitter['emit'] = () => undefined;
const tokens: Partial<Record<Role, string>> = {};
/** Returned by a token source that emits no event when it changes. */
let teammate: Principal | undefined = { kind: 'teammate', id: 'ann', role: 'admin' };

const silentSource = {
  manifest: { name: 'silent-source', requires: ['http'], events: ['told_of_people'] },
  register(registry: any, emitter: Emitter) {
    speak = emitter.emit.bind(emitter);
    registry.add('token_source', {
      name: 'silent',
      identify: (token: string) => (token === 'token-of-ann-0123456789' ? teammate : undefined),
      isSetUp: () => true,
    });
    registry.add('wire_event', { name: 'told_of_people', description: 'For this test.', permission: 'owner', keep: 'newest', schema: { type: 'object' } });
  },
};
const ann = 'token-of-ann-0123456789';

const harness = useAll(() => startHarness({ modules: { 'silent-source': silentSource as never } }));
beforeAll(async () => {
  for (const role of ['view', 'chat', 'full'] as const) {
    const { code } = (await harness.call('POST', '/api/pair/begin', { role })).body;
    tokens[role] = (await harness.call('POST', '/api/pair', { code, deviceName: role })).body.token;
  }
});

const secret = 'Ann at 203.0.113.7';
const ofOwners = ['told_of_people', 'settings_changed', 'error'];

async function happen(verbosity: string): Promise<void> {
  speak('told_of_people' as 'error', { what: secret } as never);
  const { status } = await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_UI_VERBOSITY: verbosity } } });
  expect(status).toBe(200);
}

test.each([{}, { chatId: 'all' }] as const)('sends a limited device the change event without owner details: %j', async (query) => {
  const streams = await Promise.all((['view', 'chat', 'full'] as const).map((role) => openEventStream({ url: harness.url, token: tokens[role] ?? '' }, query)));
  const sockets = await Promise.all((['view', 'chat', 'full'] as const).map((role) => openDesktopSocket(harness, { token: tokens[role] ?? '', query })));
  await happen('quiet');
  await happen('normal');
  for (const [at, reader] of streams.entries()) {
    await reader.until('config_changed');
    if (at === 2) await reader.until('settings_changed');
    else expect(reader.events.filter(({ kind }) => ofOwners.includes(kind))).toEqual([]);
    expect(JSON.stringify(reader.events).includes(secret)).toBe(at === 2);
  }
  for (const [at, socket] of sockets.entries()) {
    await socket.until('config_changed');
    if (at === 2) await socket.until('told_of_people');
    else expect(socket.events.filter(({ event }) => ofOwners.includes(event))).toEqual([]);
    expect(JSON.stringify(socket.events).includes(secret)).toBe(at === 2);
  }
  // Subscribing again from the start returns nothing more.
  for (const [at, socket] of sockets.entries()) {
    expect((await socket.ask('subscribe', { ...query, since: 0 })).ok).toBe(true);
    await socket.ask('ping');
    if (at < 2) expect(JSON.stringify(socket.events)).not.toContain(secret);
  }
});

test('does not replay owner events to a device that connects later or reconnects', async () => {
  await happen('quiet');
  for (const query of [{}, { chatId: 'all' }, { chatId: 'all', since: '0' }] as Record<string, string>[]) {
    const [phone, owner] = [await openEventStream({ url: harness.url, token: tokens.view ?? '' }, query), await openEventStream(harness, query)];
    await owner.until('told_of_people');
    speak('told_of_people' as 'error', { what: secret } as never);
    await harness.call('POST', '/api/chats', {});
    await phone.until(({ kind }) => kind === 'chat_updated' || kind === 'chat_switched');
    expect(JSON.stringify(phone.events)).not.toContain(secret);
  }
});

test('lists active plugins to a limited device and hides inactive ones', async () => {
  const plugins = async (token: string | undefined): Promise<any[]> =>
    (await harness.call('GET', '/api/config', undefined, { authorization: `Bearer ${token}` })).body.plugins;
  const [seen, all] = [await plugins(tokens.chat), await plugins(tokens.full)];
  expect(seen).toEqual(all.filter(({ state }) => state === 'active').map(({ reason: _, ...plugin }) => plugin));
  expect(all.some(({ state, reason }) => state !== 'active' && reason)).toBe(true);
  expect((await harness.call('GET', '/api/plugins', undefined, { authorization: `Bearer ${tokens.chat}` })).status).toBe(403);
});

test('ends the streams of a principal whose rights shrank and leaves other streams open', async () => {
  const http = harness.kernel.resolve('http');
  const [stream, others] = [await openEventStream({ url: harness.url, token: ann }), await openEventStream(harness)];
  const socket = await openDesktopSocket(harness, { token: ann });
  const ended = expect(stream.until('never')).rejects.toThrow('ended');
  await http.reviewStreams();
  expect((await socket.ask('ping')).ok).toBe(true); // Nothing has changed yet.
  teammate = { kind: 'teammate', id: 'ann', role: 'viewer', areas: ['chats', 'server'] };
  await http.reviewStreams();
  expect(await socket.closed).toBe(1008);
  await ended;
  const again = await openEventStream({ url: harness.url, token: ann });
  await happen('normal');
  await again.until('config_changed');
  expect(again.events.map(({ kind }) => kind)).not.toContain('settings_changed');
  const gone = expect(again.until('never')).rejects.toThrow('ended');
  teammate = undefined;
  await http.reviewStreams();
  await gone;
  expect(others.events.map(({ kind }) => kind)).toContain('settings_changed'); // This stream was never closed.
});

test('closes the sockets of a token source that is disabled', async () => {
  teammate = { kind: 'teammate', id: 'ann', role: 'admin' };
  const socket = await openDesktopSocket(harness, { token: ann });
  expect((await harness.call('PUT', '/api/plugins/silent-source', { disabled: true })).status).toBe(200);
  expect(await socket.closed).toBe(1008);
});
