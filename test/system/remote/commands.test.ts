// Tests the `/remote` command, and viewers over another transport than the local network.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { OpenCode } from 'agent-harness/builtins/desktop/remote';
import { startHarness } from '../../helpers/harness.ts';
import { readFrameHeader, writeMessage } from '../../../builtins/desktop/remote/guest-protocol.ts';
import { useRemoteWorld } from './remote-world.ts';

const opened: OpenCode[] = [];
const relay = {
  register: (registry: any) =>
    void registry.add('remote_transport', {
      ...{ name: 'cloud', unavailable: () => undefined },
      open: async (code: OpenCode) => (opened.push(code), { urls: ['https://relay.test/join#secret'] }),
    }),
};
const phoneToken = 'p'.repeat(64);
const phone = {
  register: (registry: any) =>
    void registry.add('token_source', {
      ...{ name: 'phone', isSetUp: () => true },
      identify: (token: string) => (token === phoneToken ? { kind: 'device', id: 'phone', role: 'owner' } : undefined),
    }),
};
const world = useRemoteWorld({ relay, phone });

async function say(text: string): Promise<string> {
  const { chatId, workspaceRoot } = (await world.harness.call('POST', '/api/chats', {})).body;
  return world.harness.kernel.resolve('commands').runSlash('remote', { chatId, workspaceRoot, args: text });
}

test('returns the code and address with /remote, lists codes with status and revokes them with revoke and off', async () => {
  const told = await say('');
  const [{ id, code, urls }] = (await world.state()).codes;
  expect(told).toContain(`Code: ${code.slice(0, 4)} ${code.slice(4)}\nOpen: ${urls[0]}\n`);
  expect(told).toContain('cannot control it');
  expect(await say('control')).toContain('can control it once you allow it');
  const status = await say('status');
  expect(status).toMatch(/^[0-9a-f]{6}: view, lan, until [\d: -]+, viewers: 0$/m);
  for (const { code: secret, urls: links } of (await world.state()).codes)
    for (const hidden of [secret, `${secret.slice(0, 4)} ${secret.slice(4)}`, ...links, '/remote/join', '#']) expect(status).not.toContain(hidden);
  expect(await say(`revoke ${id}`)).toContain('revoked');
  expect(await say(`revoke ${code}`)).toContain('no such valid code');
  expect(await say('off')).toContain('1 codes of other chats are still valid');
  expect(await say('help')).toContain('/remote control');
  expect(await say('what')).toContain("Unknown action 'what'");
});

test('returns a code only to the requesting client, not to the conversation or the window page', async () => {
  const { chatId } = (await world.harness.call('POST', '/api/chats', {})).body;
  const sent = await world.harness.call('POST', '/api/message', { chatId, text: '/remote control' });
  expect(sent.status).toBeLessThan(300);
  await expect.poll(async () => (await world.state()).codes.length).toBe(1);
  const run = (token: string) => world.harness.call('POST', '/api/commands', { name: 'remote', args: 'control', chatId }, { authorization: `Bearer ${token}` });
  const terminal = (await run(world.harness.token)).body.text;
  const page = (await run(world.window.token)).body.text;
  const codes: string[] = (await world.state()).codes.map(({ code }: { code: string }) => code);
  expect(codes).toHaveLength(3);
  expect(terminal).toContain(codes[1]);
  expect(page).toContain('It is not shown in this conversation');
  const told = JSON.stringify((await world.harness.call('GET', `/api/chats/${chatId}/events`)).body) + (await filesOf(world.harness.home));
  expect(told).toContain('It is not shown in this conversation');
  for (const code of codes)
    expect([told.includes(code), told.includes(`${code.slice(0, 4)} ${code.slice(4)}`), page.includes(code)]).toEqual([false, false, false]);
  expect((await world.harness.call('GET', '/api/commands')).body.commands).toContainEqual(expect.objectContaining({ name: 'remote', isSecret: true }));
});

test('returns a code to the device that made it, but not to the window while a viewer watches', async () => {
  const code = await world.open('control');
  const view = await world.open('view');
  const asks = async (token: string): Promise<any[]> =>
    (await world.harness.call('GET', '/api/remote', undefined, { authorization: `Bearer ${token}` })).body.codes;
  const host = world.window.token;
  expect((await asks(host)).map((row) => row.code)).toEqual([code.code, view.code]);
  const hidden = (codes: readonly any[]): void => {
    expect(codes).toHaveLength(2);
    for (const row of codes)
      expect([row.code, row.qr, row.urls, typeof row.id, row.expiresAt]).toEqual([undefined, undefined, [], 'string', expect.any(String)]);
  };
  hidden(await asks(phoneToken));
  const guest = await world.come(view);
  await guest.frame();
  hidden(await asks(host));
  expect((await asks(world.harness.token)).map((row) => row.code)).toEqual([code.code, view.code]);
  guest.close();
  await expect.poll(async () => (await asks(host))[0].code).toBe(code.code);
  expect((await world.harness.call('DELETE', `/api/remote/${code.id}`)).body).toEqual({ ok: true });
});

test('covers hidden elements while viewers watch, also in new documents, and shows them afterwards', async () => {
  const { page } = world.window;
  const body = '<p id="secret" data-guest-hidden="Covered">ABCD<b style="visibility: visible">EFGH</b></p><p id="open">Open</p>';
  await page.setContent(body);
  const seen = () => page.evaluate(() => ['#secret', '#secret b', '#open'].map((one) => getComputedStyle(document.querySelector(one)!).visibility));
  expect(await seen()).toEqual(['visible', 'visible', 'visible']);
  const guest = await world.come(await world.open('view'));
  await guest.frame();
  expect(await seen()).toEqual(['hidden', 'hidden', 'visible']);
  await page.goto(`data:text/html,${encodeURIComponent(body)}`);
  expect(await seen()).toEqual(['hidden', 'hidden', 'visible']);
  expect(await page.evaluate(() => getComputedStyle(document.querySelector('#secret')!, '::before').content)).toBe('"Covered"');
  guest.close();
  await expect.poll(seen).toEqual(['visible', 'visible', 'visible']);
});

/** Ignores temporary files of atomic writes, which disappear when they are renamed. */
const renamed = (fault: NodeJS.ErrnoException): string => {
  if (fault.code === 'ENOENT') return '';
  throw fault;
};

async function filesOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return (await Promise.all(entries.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name), 'utf8').catch(renamed)))).join('\n');
}

test('explains the missing desktop window, and reports no codes or viewers in the status', async () => {
  const bare = await startHarness({ builtins: ['model-demo', 'remote'] });
  const { chatId, workspaceRoot } = (await bare.call('POST', '/api/chats', {})).body;
  const told = await bare.kernel.resolve('commands').runSlash('remote', { chatId, workspaceRoot, args: '' });
  expect(told).toContain('no desktop window');
  expect((await bare.call('GET', '/api/status')).body.remote).toEqual({ codes: 0, guests: 0, asking: 0 });
  expect((await bare.call('POST', '/api/remote/guests/x', { allow: true })).body.error.code).toBe('guest_not_found');
  await bare.close();
});

test('handles a viewer of another transport like any other: frames, roles, limit, end', async () => {
  expect(await say('cloud control')).toContain('https://relay.test/join#secret');
  const code = opened.at(-1) as OpenCode;
  const frames: Uint8Array[] = [];
  const texts: string[] = [];
  const sessions = world.harness.kernel.resolve('remoteSessions');
  const link = { code: code.code, name: 'Far', address: 'relay', transport: 'cloud' as const };
  const attached = sessions.attach({ ...link, send: (content) => void (typeof content === 'string' ? texts.push(content) : frames.push(content)) });
  await expect.poll(() => frames.length).toBe(1);
  expect(readFrameHeader(frames[0] ?? new Uint8Array())).toMatchObject({ cssWidth: 800 });
  attached.receive(writeMessage({ type: 'ack', seq: 1 }));
  attached.receive(writeMessage({ type: 'restore', n: 1, seq: 1, geometry: 1 }));
  expect(JSON.parse(texts.at(-1) ?? '')).toMatchObject({ type: 'refused', reason: 'waiting' });
  expect((await world.state()).guests).toMatchObject([{ name: 'Far', transport: 'cloud', state: 'waiting' }]);
  const more = Array.from({ length: 31 }, () => sessions.attach({ ...link, send: () => undefined }));
  expect(more).toHaveLength(31);
  expect(() => sessions.attach({ ...link, send: () => undefined })).toThrow(/The limit of 32 viewers is reached/); // REMOTE_ERR_TOO_MANY_GUESTS
  await world.harness.call('DELETE', '/api/remote');
  expect([attached.closed.aborted, code.signal.aborted]).toEqual([true, true]);
  expect(() => sessions.attach({ ...link, send: () => undefined })).toThrow(/This code is wrong/); // REMOTE_ERR_CODE_WRONG
});
