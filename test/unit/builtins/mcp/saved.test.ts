import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectNobodyWith, hostile, processesWith, startMcp, type McpHarness } from './mcp-parts.ts';
import { startSignInServer, type SignInServer } from './sign-in-server.ts';

let mcp: McpHarness;
let mark: string;
let remote: SignInServer;
beforeEach(async () => {
  mark = randomUUID();
  mcp = await startMcp();
  remote = await startSignInServer();
});
afterEach(async () => {
  expect(await mcp.close()).toEqual([]);
  await expectNobodyWith(mark);
});

async function restart(): Promise<void> {
  const { home, workspace } = mcp;
  await mcp.close({ keepFiles: true });
  mcp = await startMcp({ home, workspace });
}
const saved = () => readFile(join(mcp.home, 'integrations.json'), 'utf8');
/** Removes the folders after the server has closed, because an open server may still write. */
async function clear(): Promise<void> {
  await mcp.close({ keepFiles: true });
  for (const folder of [mcp.home, mcp.workspace]) await rm(folder, { recursive: true, force: true });
}

test('lists the tools immediately after a start, and starts the server at the first call', async () => {
  await mcp.add({ name: 'own', command: process.execPath, args: [hostile, 'normal', mark], env: { API_KEY: 'very secret' } });
  const before = mcp.toolsOf('own');
  expect(await saved()).not.toContain('very secret');
  await restart();
  await expect.poll(() => mcp.toolsOf('own')).toEqual(before);
  expect(await processesWith(mark)).toEqual([]);
  expect(((await mcp.run('own_environment')) as any).output).toContain('API_KEY');
  expect(await processesWith(mark)).toHaveLength(1);
  await clear();
});

test('opens one connection per workspace and closes all of them with the program', async () => {
  await mcp.add({ name: 'own', command: process.execPath, args: [hostile, 'normal', mark] });
  await mcp.run('own_hello');
  await mcp.run('own_hello', {}, { workspaceRoot: mcp.home });
  await mcp.run('own_hello');
  expect(await processesWith(mark)).toHaveLength(2);
  await mcp.close();
  await expectNobodyWith(mark);
});

test('renames a server tool that has the name of an existing tool', async () => {
  remote.accept('Bearer x');
  const tool = { name: 'web_greet', description: 'Ours.', input: { type: 'object' }, effects: ['read'], run: () => 'ours' } as const;
  await mcp.close();
  mcp = await startMcp({ modules: { 'z-late': { register: (registry: any) => registry.add('tool', tool) } } });
  await mcp.add({ name: 'web', url: remote.url, auth: { kind: 'bearer', token: 'x' } });
  expect(mcp.toolsOf('web')).toEqual([expect.stringMatching(/^web_greet_[0-9a-f]{8}$/)]);
  expect(await mcp.run('web_greet')).toMatchObject({ output: 'ours' });
});

test('opens a new session with a restarted HTTP server, and reports an unreachable one', async () => {
  remote.accept('Bearer x');
  await mcp.add({ name: 'web', url: remote.url, auth: { kind: 'bearer', token: 'x' } });
  expect(await mcp.run('web_greet')).toMatchObject({ ok: true });
  remote.forget();
  expect(await mcp.run('web_greet')).toMatchObject({ ok: true, output: 'hello' });
  await remote.close();
  expect(await mcp.run('web_greet')).toMatchObject({ ok: false, error: expect.stringContaining('cannot be reached') });
  expect(await mcp.connection('web')).toMatchObject({ status: expect.stringMatching(/failed|connecting/) });
});

test('emits an event for each status change', async () => {
  const statuses: string[] = [];
  mcp.kernel.emitter.on('integration_changed', ({ name, status }) => statuses.push(`${name} ${status}`));
  await mcp.add({ name: 'own', command: process.execPath, args: [hostile, 'normal', mark] });
  await mcp.call('DELETE', '/api/integrations/mcp/own');
  expect(statuses[0]).toBe('own connecting');
  expect(statuses).toContain('own connected');
  expect(statuses.at(-1)).toBe('own removed');
});

test('sends a bearer token to the server and does not store it in plain text', async () => {
  remote.accept('Bearer my-own-token');
  expect((await mcp.add({ name: 'web', url: remote.url, auth: { kind: 'bearer', token: 'my-own-token' } })).body).toMatchObject({ ok: true, toolCount: 1 });
  expect(await mcp.run('web_greet')).toMatchObject({ ok: true, output: 'hello' });
  expect(await saved()).not.toContain('my-own-token');
  expect((await mcp.add({ name: 'other', url: remote.url, auth: { kind: 'header', name: 'authorization', value: 'Bearer wrong' } })).status).toBe(422);
});

test('signs in with OAuth: authorization URL, single-use callback, and tokens not in plain text', async () => {
  const { body } = await mcp.add({ name: 'web', url: remote.url, auth: { kind: 'oauth' } });
  expect(body).toMatchObject({ ok: true, toolCount: 0, authorizeUrl: expect.stringContaining('/authorize?') });
  expect(await mcp.connection('web')).toMatchObject({ status: 'needs_sign_in' });
  const back = remote.authorize(body.authorizeUrl);
  expect(back.startsWith(`${mcp.url}/api/integrations/mcp/web/callback?`)).toBe(true);

  const wrong = await fetch(back.replace(/state=[^&]+/, 'state=guessed'));
  expect(wrong.status).toBe(403);
  const page = await fetch(back);
  expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({ status: 200, type: 'text/html; charset=utf-8' });
  expect(await page.text()).toContain('connected');
  expect((await fetch(back)).status).toBe(403);

  expect(await mcp.connection('web')).toMatchObject({ status: 'connected', toolCount: 1 });
  expect(await mcp.run('web_greet')).toMatchObject({ ok: true, output: 'hello' });
  expect(await saved()).not.toContain(remote.token());
  await restart();
  await expect.poll(() => mcp.toolsOf('web')).toEqual(['web_greet']);
  expect(await mcp.run('web_greet')).toMatchObject({ ok: true, output: 'hello' });
  await clear();
});

test('renews an expired sign-in without a person', async () => {
  const { body } = await mcp.add({ name: 'web', url: remote.url, auth: { kind: 'oauth' } });
  await fetch(remote.authorize(body.authorizeUrl));
  const first = remote.token();
  remote.expire();
  expect(await mcp.run('web_greet')).toMatchObject({ ok: true, output: 'hello' });
  expect(remote.token()).not.toBe(first);
});

test('reports a denied sign-in and allows a new one', async () => {
  const { body } = await mcp.add({ name: 'web', url: remote.url, auth: { kind: 'oauth' } });
  const state = new URL(body.authorizeUrl).searchParams.get('state');
  const refused = await fetch(`${mcp.url}/api/integrations/mcp/web/callback?error=access_denied&state=${state}`);
  expect({ status: refused.status, body: await refused.json() }).toMatchObject({ status: 403, body: { error: { code: 'sign_in_failed' } } });
  const again = await mcp.add({ name: 'web', url: remote.url, auth: { kind: 'oauth' } });
  await fetch(remote.authorize(again.body.authorizeUrl));
  expect(await mcp.connection('web')).toMatchObject({ status: 'connected' });
});

test('accepts a token pasted with Bearer, quotes and line breaks, and reports the position of an invalid character', async () => {
  remote.accept('Bearer x');
  await mcp.add({ name: 'web', url: remote.url, auth: { kind: 'bearer', token: ' Bearer "x"\n' } });
  expect(mcp.toolsOf('web')).not.toEqual([]);
  const whyNot = async (auth: object): Promise<string> => (await mcp.add({ name: 'bad', url: remote.url, auth })).body.error.message;
  expect(await whyNot({ kind: 'bearer', token: 'a\u200bb' })).toContain('The token has the character U+200B at position 2');
  expect(await whyNot({ kind: 'header', name: 'X-Key', value: 'ü' })).toContain("The value of the header 'X-Key' has the character U+00FC at position 1");
});
