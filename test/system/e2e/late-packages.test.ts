// Tests lazily loaded packages in the built program, where a package may lack an export that the sources use.
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startSignInServer } from '../../unit/builtins/mcp/sign-in-server.ts';
import { startMailServer } from '../../helpers/mail-server.ts';
import { startNatsServer } from '../../helpers/nats.ts';
import { hasTool } from '../../helpers/required-tools.ts';
import { startPlaneProcess } from '../../helpers/plane-process.ts';
import { createTestDatabase } from '../../helpers/postgres.ts';
import { runProgram, startProgram } from '../../helpers/program.ts';
import { startProvider } from '../../helpers/scripted-provider.ts';
import { startServerProcess } from '../../helpers/server-process.ts';
import { root } from '../../helpers/sources.ts';

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'late-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Serves a text per path. */
async function serveTexts(texts: Readonly<Record<string, string>>): Promise<string> {
  const site = createServer((request, reply) => reply.end(texts[request.url ?? ''] ?? ''));
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  onTestFinished(() => void site.close());
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}

// late: pg, @nats-io/transport-node, nodemailer, openid-client
test.skipIf(!hasTool('PostgreSQL') || !hasTool('nats-server'))('runs a control plane with PostgreSQL, NATS, mail and single sign-on', async () => {
  const [home, mail, nats] = await Promise.all([makeFolder(), startMailServer(), startNatsServer()]);
  const provider = await startProvider(() => ({ sub: 'ann', email: 'ann@acme.example', email_verified: true }));
  const environment = { HUB_SECRET: 'a secret of the tests with more than 32 characters', SMTP_URL: mail.url, NATS_URL: nats.url };
  const plane = await startPlaneProcess({ home, environment: { ...environment, DATABASE_URL: await createTestDatabase() } });
  onTestFinished(async () => {
    await plane.stop();
    mail.close();
    await Promise.all([provider.close(), nats.kill()]);
  });
  // Printed after the address.
  await expect.poll(plane.output).toMatch(/sign-up\?setup=\S/);
  const [, setup] = /sign-up\?setup=(\S+)/.exec(plane.output()) ?? [];
  const as = async (method: string, path: string, body: unknown, cookie = ''): Promise<{ reply: Response; body: any }> => {
    const headers = { origin: plane.url, cookie, 'content-type': 'application/json' };
    const reply = await fetch(plane.url + path, { method, headers, body: JSON.stringify(body) });
    return { reply, body: await reply.json() };
  };
  const signedUp = await as('POST', '/api/account/sign-up', { email: 'ann@acme.example', password: 'correct horse', orgName: 'Acme', setup });
  const cookie = signedUp.reply.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const me = (await (await fetch(`${plane.url}/api/account/me`, { headers: { cookie } })).json()) as { organisation: { id: string } };
  const org = `/api/orgs/${me.organisation.id}`;
  expect((await as('POST', `${org}/invites`, { role: 'member', email: 'ben@acme.example' }, cookie)).body).toMatchObject({ mailed: true });
  expect(mail.mails).toEqual([expect.stringContaining('To: ben@acme.example')]);
  const sso = { enabled: true, issuer: provider.issuer, clientId: 'hub', clientSecret: 'the secret', domains: ['acme.example'] };
  expect((await as('PUT', `${org}/sso`, sso, cookie)).reply.status).toBe(200);
  const begun = await fetch(`${plane.url}/api/sso/begin?org=${me.organisation.id}`, { redirect: 'manual' });
  expect(begun.headers.get('location')).toMatch(`${provider.issuer}/authorize?`);
  const came = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
  const own = { cookie: begun.headers.getSetCookie().map((one) => one.split(';', 1)[0]).join('; ') }; // prettier-ignore
  await fetch(came.headers.get('location') ?? '', { redirect: 'manual', headers: own });
  expect(provider.requests.filter((path) => /token|jwks/.test(path))).toEqual(['/token', '/jwks']);
  expect((await plane.call('GET', '/readyz')).status).toBe(200);
  expect(plane.output()).not.toMatch(/is not a (constructor|function)/);
});

// late: @apidevtools/json-schema-ref-parser, @modelcontextprotocol/sdk/client/auth.js, uqr, open
test('loads a multi-part OpenAPI document, starts MCP sign-in, prints a pairing code and signs out', async () => {
  const [home, workspace, remote] = await Promise.all([makeFolder(), makeFolder(), startSignInServer()]);
  onTestFinished(() => remote.close());
  const paths = { '/tea': { get: { $ref: './part.json' } } };
  const origin = await serveTexts({
    '/spec.json': JSON.stringify({ openapi: '3.1.0', info: { title: 'Tea', version: '1' }, paths }),
    '/part.json': JSON.stringify({ operationId: 'getTea', responses: { 200: { description: 'ok' } } }),
  });
  const server = await startServerProcess({ home, workspace });
  onTestFinished(async () => void (await server.stop()));
  const added = await server.call('POST', '/api/integrations/openapi', { name: 'tea', specUrl: `${origin}/spec.json`, baseUrl: origin });
  expect(added.body).toMatchObject({ toolCount: 1 });
  const { authorizeUrl } = (await server.call('POST', '/api/integrations/mcp', { name: 'web', url: remote.url, auth: { kind: 'oauth' } })).body;
  expect((await fetch(remote.authorize(authorizeUrl))).status).toBe(200);

  const environment = { HOME: home, APP_HOME: home };
  const pairing = startProgram(['pair'], { environment, folder: workspace });
  await pairing.says(/[▀▄█]{5}[^]*[A-Z0-9]{4}-[A-Z0-9]{4}/);
  await pairing.stop();

  if (process.platform === 'linux') {
    const programs = join(home, 'programs');
    await mkdir(programs);
    await writeFile(join(programs, 'xdg-open'), '#!/bin/sh\nprintf %s "$1" > "$HOME/shown.txt"\n');
    await chmod(join(programs, 'xdg-open'), 0o755);
    await promisify(execFile)('script', ['-qec', `"${process.execPath}" "${join(root, 'dist/main.mjs')}" open`, '/dev/null'], {
      cwd: workspace,
      env: { ...environment, DISPLAY: ':0', PATH: `${programs}${delimiter}${process.env['PATH']}` },
    });
    await expect.poll(() => readFile(join(home, 'shown.txt'), 'utf8').catch(() => '')).toContain(server.url);
  }
  await server.stop();
  expect(await runProgram(['logout'], { environment, folder: workspace })).toMatchObject({ code: 0 });
});
