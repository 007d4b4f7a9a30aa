// Tests the OAuth sign-in at an MCP server: issuer checks, scopes and client registration.
import { expect, test } from 'vitest';
import { startMcp } from './mcp-parts.ts';
import { startSignInServer } from './sign-in-server.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const mcp = useEach(() => startMcp());
const remote = useEach(() => startSignInServer());

const add = async (auth: object = { kind: 'oauth' }): Promise<any> => (await mcp.add({ name: 'web', url: remote.url, auth })).body;
const scopeOf = (url: string): string[] => (new URL(url).searchParams.get('scope') ?? '').split(' ').sort();
const row = () => mcp.connection('web') as Promise<any>;

test('uses the authorization server from the metadata for the sign-in and the callback', async () => {
  remote.ways.metadataPath = '/somewhere/else.json';
  const elsewhere = await startSignInServer();
  remote.ways.signsInAt = elsewhere.origin;
  const { authorizeUrl } = await add();
  expect(authorizeUrl.startsWith(`${elsewhere.origin}/authorize?`)).toBe(true);
  const before = elsewhere.token();
  await fetch(elsewhere.authorize(authorizeUrl));
  expect(elsewhere.token()).not.toBe(before);
});

test.each([
  ['a missing issuer although one was announced', { promisesIss: true }, 'the reply does not name its issuer'],
  ['another issuer', { iss: 'https://evil.example' }, 'comes from https://evil.example'],
  ['a similar issuer', { promisesIss: true, iss: 'slash' }, 'comes from http'],
])('rejects a callback from %s before it sends the code', async (_, ways, why) => {
  Object.assign(remote.ways, ways, 'iss' in ways && ways.iss === 'slash' ? { iss: `${remote.origin}/` } : {});
  const { authorizeUrl } = await add();
  const before = remote.token();
  const refused = await fetch(remote.authorize(authorizeUrl));
  expect({ status: refused.status, message: (await refused.json()).error.message }).toEqual({ status: 403, message: expect.stringContaining(why) });
  expect(remote.token()).toBe(before);
});

test('accepts a callback with the right issuer', async () => {
  Object.assign(remote.ways, { promisesIss: true, iss: remote.origin });
  const { authorizeUrl } = await add();
  expect((await fetch(remote.authorize(authorizeUrl))).status).toBe(200);
});

test('rejects metadata with another issuer', async () => {
  const elsewhere = await startSignInServer();
  elsewhere.ways.issuer = 'https://attacker.example';
  remote.ways.signsInAt = elsewhere.origin;
  expect((await add()).error).toMatchObject({ code: 'connect_failed', message: expect.stringContaining('https://attacker.example') });
  expect(elsewhere.registrations).toEqual([]);
});

test('registers as a native client, once with each authorization server', async () => {
  const { authorizeUrl } = await add();
  await fetch(remote.authorize(authorizeUrl));
  expect(remote.registrations).toEqual([expect.objectContaining({ application_type: 'native', grant_types: ['authorization_code', 'refresh_token'] })]);
  const elsewhere = await startSignInServer();
  remote.ways.signsInAt = elsewhere.origin;
  remote.expire();
  expect(await mcp.run('web_greet')).toMatchObject({ ok: false, error: expect.stringContaining('sign in') });
  expect(elsewhere.registrations).toHaveLength(1);
  const { authorizeUrl: next } = await row();
  expect(next.startsWith(`${elsewhere.origin}/authorize?`)).toBe(true);
  expect(new URL(next).searchParams.get('client_id')).not.toBe(new URL(authorizeUrl).searchParams.get('client_id'));
});

test('requests additional scopes once, and other calls work in the meantime', async () => {
  const { authorizeUrl } = await add();
  expect(scopeOf(authorizeUrl)).toEqual(['read']);
  await fetch(remote.authorize(authorizeUrl));
  expect(await mcp.run('web_greet')).toMatchObject({ ok: true });
  remote.ways.needed = 'write';
  expect(await mcp.run('web_greet')).toMatchObject({ ok: false, error: expect.stringContaining('more rights') });
  const { status, authorizeUrl: more } = await row();
  expect({ status, scope: scopeOf(more) }).toEqual({ status: 'needs_sign_in', scope: ['read', 'write'] });
  delete remote.ways.needed;
  expect(await mcp.run('web_greet')).toMatchObject({ ok: true });
  remote.ways.needed = 'write';
  expect((await fetch(remote.authorize(more))).status).toBe(200);
  expect(await row()).toMatchObject({ status: 'connected' });
  expect(await mcp.run('web_greet')).toMatchObject({ ok: true, output: 'hello' });
  remote.expire();
  expect(await mcp.run('web_greet')).toMatchObject({ ok: true, output: 'hello' });
});

test('stops requesting scopes that a sign-in does not grant', async () => {
  const { authorizeUrl } = await add();
  await fetch(remote.authorize(authorizeUrl));
  remote.ways.needed = 'read more';
  expect(await mcp.run('web_greet')).toMatchObject({ ok: false });
  const { authorizeUrl: more } = await row();
  await fetch(remote.authorize(more));
  expect(await mcp.run('web_greet')).toMatchObject({ ok: false, error: expect.stringContaining('more rights than a sign-in grants') });
  expect(await row()).not.toHaveProperty('authorizeUrl');
});

test.each([
  [{ kind: 'client_credentials', clientId: 'x' }, 'either a clientSecret or a privateKey'],
  [{ kind: 'client_credentials', clientId: 'x', privateKey: 'y' }, 'algorithm'],
  [{ kind: 'cross_app', clientId: 'x', idpTokenEndpoint: 'file:///x', idpClientId: 'y', idToken: 'z' }, 'idpTokenEndpoint'],
  [{ kind: 'oauth', clientSecret: 'x' }, 'clientId'],
  [{ kind: 'oauth', clientMetadataUrl: 'http://app.example/x.json' }, 'https'],
])('rejects %j with an error message', async (auth, why) => {
  expect((await add(auth)).error).toMatchObject({ code: 'invalid', message: expect.stringContaining(why) });
});
