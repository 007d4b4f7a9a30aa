// Tests the control plane client against a scripted control plane.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ControlPlane } from '../../../../builtins/account/hub/contract.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { startLocalServer, type LocalServer } from '../../../helpers/local-server.ts';
import { useFolder } from '../../../helpers/use-opened.ts';
import { createSigner, daySeconds, nowSeconds } from '../../plugins/licensing/license-kit.ts';

const signer = createSigner();
const token = signer.token({ tier: 'team' });

const home = useFolder('plane-client-');
let server: LocalServer;
let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;
const asked: { readonly line: string; readonly authorization: string | undefined; readonly since: string | undefined; readonly body: string }[] = [];
let harness: Harness;
let plane: ControlPlane;

beforeEach(async () => {
  asked.length = 0;
  answer = (_, response) => json(response, 200, { ok: true });
  server = await startLocalServer((request, response) => {
    void text(request).then((body) => {
      const { authorization } = request.headers;
      asked.push({ line: `${request.method} ${request.url}`, authorization, since: request.headers['last-event-id'] as string | undefined, body });
      answer(request, response, body);
    });
  });
});

async function start(license: string | undefined = token, site = server.url): Promise<void> {
  if (license !== undefined) await writeFile(join(home, 'license.json'), JSON.stringify({ token: license }));
  harness = await startHarness({ home, builtins: ['hub'], environment: { AGENT_LICENSE_PUBLIC_KEY: signer.pem, AGENT_HUB_SITE_URL: site } });
  plane = harness.kernel.resolve('controlPlane');
}
function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
const refusal = (code: string, message = 'It says so.'): unknown => ({ error: { code, message } });
const get = (path = '/api/team/policy'): Promise<unknown> => plane.request({ method: 'GET', path });
const fault = (work: Promise<unknown>): Promise<any> => work.then(() => undefined, (thrown: unknown) => thrown); // prettier-ignore

test('sends the license and parses the reply, including 304 and 409', async () => {
  await start();
  answer = (_, response) => json(response, 200, { revision: 3 }, { etag: '"3"' });
  expect(await plane.request({ method: 'PUT', path: '/api/team/policy?x=1', body: { base: 2 } })).toMatchObject({
    status: 200,
    body: { revision: 3 },
    headers: { etag: '"3"' },
  });
  expect(asked).toEqual([{ line: 'PUT /api/team/policy?x=1', authorization: `Bearer ${token}`, since: undefined, body: '{"base":2}' }]);
  answer = (_, response) => json(response, 409, { ...(refusal('revision_conflict') as object), revision: 4 });
  expect(await get()).toMatchObject({ status: 409, body: { revision: 4 } });
  answer = (_, response) => response.writeHead(304).end();
  expect(await get()).toMatchObject({ status: 304, body: undefined });
});

test('sends no request when signed out', async () => {
  await start('');
  await rm(join(home, 'license.json'), { force: true });
  expect(await fault(get())).toMatchObject({ code: 'HUB_ERR_SIGNED_OUT' });
  const states: unknown[] = [];
  plane.follow({ path: '/s', take: () => undefined, onState: (...state) => states.push(state), signal: new AbortController().signal });
  await vi.waitFor(() => expect(states).toEqual([['ended', expect.stringContaining('No account is signed in')]]));
  expect(asked).toEqual([]);
});

test.each([500, 503, 302])('treats status %s as unreachable', async (status) => {
  await start();
  answer = (_, response) => json(response, status, refusal('internal_error', token), { location: 'http://127.0.0.1:1/' });
  const thrown = await fault(get());
  expect(thrown).toMatchObject({ code: 'HUB_ERR_PLANE_UNREACHABLE' });
  expect(JSON.stringify([thrown.message, thrown.details])).not.toContain(token.slice(-40));
});

test('an error contains status, code and message of the control plane, but never the license', async () => {
  await start();
  answer = (_, response) => json(response, 403, refusal('entitlement_required', `It needs more than ${token}.`));
  const thrown = await fault(get());
  expect(thrown).toMatchObject({ code: 'HUB_ERR_PLANE_REFUSED', details: { status: 403, code: 'entitlement_required', message: 'It needs more than ….' } });
  expect(JSON.stringify([thrown.message, thrown.details])).not.toContain(token.slice(-40));
});

test('reports a closed, silent, non-TLS or foreign address as unreachable', async () => {
  await start();
  expect((await fault(get('@127.0.0.1:1/'))).code).toBe('HUB_ERR_PLANE_UNREACHABLE');
  answer = () => undefined;
  expect((await fault(plane.request({ method: 'GET', path: '/slow', timeoutMs: 50 }))).code).toBe('HUB_ERR_PLANE_UNREACHABLE');
  const stop = new AbortController();
  const stopped = fault(plane.request({ method: 'GET', path: '/slow', signal: stop.signal }));
  stop.abort(new Error('mine'));
  expect((await stopped).message).toBe('mine');
  await server.close();
  expect(await fault(get())).toMatchObject({ code: 'HUB_ERR_PLANE_UNREACHABLE', message: expect.stringMatching(/ECONNREFUSED|hang up/) });
  await harness.close();
  await start(token, 'http://plane.example');
  expect(await fault(get())).toMatchObject({ code: 'HUB_ERR_PLANE_UNREACHABLE', message: expect.stringContaining('does not use TLS') });
});

test('signs out when the license was revoked', async () => {
  await start();
  answer = (_, response) => json(response, 401, refusal('token_revoked'));
  expect(await fault(get())).toMatchObject({ code: 'HUB_ERR_PLANE_REFUSED', details: { code: 'token_revoked' } });
  expect((await harness.call('GET', '/api/hub/account')).body).toMatchObject({ connected: false });
});

test('renews an expired license in its grace period once for concurrent requests, and repeats them', async () => {
  await start(signer.token({ tier: 'team', exp: nowSeconds() - daySeconds }));
  const fresh = signer.token({ tier: 'team', iat: nowSeconds(), exp: nowSeconds() + 30 * daySeconds });
  answer = (request, response) => {
    if (request.url === '/api/license/renew') json(response, 200, { token: fresh });
    else if (request.headers.authorization === `Bearer ${fresh}`) json(response, 200, { fine: true });
    else json(response, 401, refusal('token_expired'));
  };
  expect(await Promise.all([get(), get('/api/other')])).toMatchObject([{ body: { fine: true } }, { body: { fine: true } }]);
  expect(asked.filter(({ line }) => line.includes('renew'))).toHaveLength(1);
});

test('downloads a file in chunks and rejects when the connection breaks', async () => {
  await start();
  answer = (_, response) => response.writeHead(200, { 'content-type': 'application/octet-stream', etag: '"a"' }).end('some bytes');
  const { chunks, headers } = await plane.download({ path: '/file', signal: new AbortController().signal });
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  expect([Buffer.concat(parts).toString(), headers['etag']]).toEqual(['some bytes', '"a"']);
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('some');
    setImmediate(() => response.destroy());
  };
  const broken = await plane.download({ path: '/file', signal: new AbortController().signal });
  const read = async (): Promise<void> => {
    for await (const chunk of broken.chunks) void chunk;
  };
  expect((await fault(read())).code).toBe('HUB_ERR_PLANE_UNREACHABLE');
});

test('resumes a stream after the last event, and handles one event at a time', async () => {
  await start();
  const took: unknown[] = [];
  const states: unknown[] = [];
  const stop = new AbortController();
  answer = (request, response) => {
    const from = Number(request.headers['last-event-id'] ?? 0);
    if (asked.length === 2) return json(response, 503, {});
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`: hello\n\nid: ${from + 1}\ndata: {"n":${from + 1}}\n\nid: ${from + 2}\ndata: {"n":${from + 2}}\n\n`);
    if (from < 6) response.end('data: {"cut');
  };
  let isTaking = false;
  plane.follow({
    path: '/api/bus?workspace=a',
    since: '4',
    async take(event) {
      expect(isTaking).toBe(false);
      isTaking = true;
      await new Promise((resolve) => setImmediate(resolve));
      isTaking = false;
      took.push(event);
    },
    onState: (state) => states.push(state),
    signal: stop.signal,
  });
  await vi.waitFor(() => expect(took).toHaveLength(4), 10_000);
  expect(took).toEqual([5, 6, 7, 8].map((n) => ({ id: String(n), data: { n } })));
  expect(states).toEqual(['live', 'waiting', 'live']);
  expect(asked.map(({ since }) => since)).toEqual(['4', '6', '6']);
  stop.abort();
  await new Promise((resolve) => server.server.close(resolve)); // resolves because the connection has ended
});

test('a refused stream ends with the reason, and an overload does not end it', async () => {
  await start();
  const states: unknown[] = [];
  answer = (_, response) => (asked.length === 1 ? json(response, 429, refusal('too_many_attempts')) : json(response, 403, refusal('forbidden', 'Not you.')));
  plane.follow({ path: '/s', take: () => undefined, onState: (...state) => states.push(state), signal: new AbortController().signal });
  await vi.waitFor(() => expect(states).toHaveLength(2), 10_000);
  expect(states).toEqual([['waiting', expect.anything()], ['ended', expect.stringContaining('Not you.')]]); // prettier-ignore
});
