import { connect } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { openHttp, routes } from './open-http.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const site = 'https://hub.example';
let handled = 0;

const http = useAll(() =>
  openHttp(
    {
      some: routes(
        { key: 'GET /api/thing', handle: () => ({ handled: ++handled }) },
        { key: 'GET /api/stream', isRaw: true, handle: ({ reply }: any) => void reply.sse({ data: 'hello' }) },
        { key: 'POST /api/callback/:id', auth: 'open', allowsOrigin: (origin) => origin === site, handle: () => ({ ok: true }) },
      ),
    },
    { environment: { AGENT_WEB_CORS_ORIGINS: 'https://friend.example, http://dev.example:5173/', AGENT_WEB_ALLOWED_HOSTS: 'box.lan, proxy.example:8443' } },
  ),
);

async function sendBytes(bytes: string): Promise<string> {
  const socket = connect(http.port, '127.0.0.1');
  socket.write(bytes);
  return readAll(socket);
}

describe('Host header', () => {
  test.each([
    ['another name that resolves to us (DNS rebinding)', 'evil.example'],
    ['another name with our port', 'evil.example:PORT'],
    ['localhost with another port', 'localhost:1'],
    ['localhost without a port', 'localhost'],
    ['a name with our name as prefix', 'localhost.evil.example:PORT'],
    ['our name as the user of a URL', 'localhost:PORT@evil.example'],
    ['a name with a trailing dot', 'localhost.:PORT'],
    ['127.0.0.1 as a number', '2130706433:PORT'],
    ['an allowed name with another port', 'proxy.example:1'],
  ])('rejects %s on every path', async (_, host) => {
    const before = handled;
    for (const path of ['/api/thing', '/api/stream', '/nowhere', '/api/%']) {
      const answer = await http.ask(path, { headers: { host: host.replace('PORT', String(http.port)) } });
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'host_not_allowed', requestId: expect.any(String) } } });
    }
    expect(handled).toBe(before);
  });

  test.each(['localhost:PORT', '127.0.0.1:PORT', '[::1]:PORT', 'LOCALHOST:PORT', 'box.lan', 'box.lan:80', 'proxy.example:8443'])('accepts %s', async (host) => {
    expect((await http.ask('/api/thing', { headers: { host: host.replace('PORT', String(http.port)) } })).status).toBe(200);
  });

  test('rejects a request without a Host', async () => {
    expect(await sendBytes('GET /api/thing HTTP/1.0\r\n\r\n')).toContain('host_not_allowed');
    expect(await sendBytes('GET /api/thing HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n')).toContain('host_not_allowed');
    expect(await sendBytes('GET /api/thing HTTP/1.1\r\nConnection: close\r\n\r\n')).toContain('host_not_allowed');
  });

  test('rejects a request with two Hosts', async () => {
    const bytes = `GET /api/thing HTTP/1.1\r\nHost: localhost:${http.port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
    expect(await sendBytes(bytes)).toMatch(/host_not_allowed|HTTP\/1.1 400/);
  });

  test('rejects a proxy request', async () => {
    const bytes = `GET http://evil.example/api/thing HTTP/1.1\r\nHost: localhost:${http.port}\r\nConnection: close\r\n\r\n`;
    expect(await sendBytes(bytes)).toContain('"code":"invalid_request"');
  });

  test('bytes that are not HTTP get an error reply in the standard format', async () => {
    const answer = await sendBytes('NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ error: { code: 'invalid_request', requestId: expect.any(String) } });
  });

  test('headers over the limit get an error reply in the standard format', async () => {
    expect(await sendBytes(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 [^]*"code":"headers_too_large"/);
  });
});

describe('Origin header', () => {
  const preflight = { 'access-control-request-method': 'POST' };

  test.each([
    ['a foreign page', 'https://evil.example'],
    ['a page on another port of this machine', 'http://localhost:1'],
    ['our name over https', 'https://localhost:PORT'],
    ['a sandboxed frame or a file', 'null'],
    ['an allowed origin with another scheme', 'http://friend.example'],
    ['an origin with an allowed one as prefix', 'https://friend.example.evil.example'],
    ['an origin with a path', 'https://friend.example/x'],
    ['the hosted site on any other route', site],
  ])('rejects %s, including preflights', async (_, origin) => {
    const headers = { origin: origin.replace('PORT', String(http.port)) };
    for (const answer of [
      await http.ask('/api/thing', { headers }),
      await http.ask('/api/stream', { headers }),
      await http.ask('/api/thing', { method: 'OPTIONS', headers: { ...headers, ...preflight } }),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'origin_not_allowed' } } });
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test.each(['http://localhost:PORT', 'http://127.0.0.1:PORT', 'http://[::1]:PORT', 'http://box.lan', 'https://box.lan', 'https://proxy.example:8443'])(
    'accepts our own origin %s',
    async (origin) => {
      expect((await http.ask('/api/thing', { headers: { origin: origin.replace('PORT', String(http.port)) } })).status).toBe(200);
    },
  );

  test.each(['https://friend.example', 'http://dev.example:5173'])(
    'accepts the allowed origin %s and lets it read the reply, without credentials',
    async (origin) => {
      const { status, headers } = await http.ask('/api/thing', { headers: { origin } });
      expect(status).toBe(200);
      expect(headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    },
  );

  test('an allowed origin still requires the token', async () => {
    expect((await http.ask('/api/thing', { headers: { origin: 'https://friend.example' }, token: false })).status).toBe(401);
  });

  test('a preflight of an allowed origin needs no token', async () => {
    const answer = await http.ask('/api/thing', { method: 'OPTIONS', headers: { origin: 'https://friend.example', ...preflight }, token: false });
    expect(answer).toMatchObject({ status: 204, headers: { 'access-control-allow-headers': expect.stringContaining('x-app-token') } });
  });

  test('a route can allow one foreign origin, including preflights', async () => {
    const headers = { origin: site };
    expect(await http.ask('/api/callback/1', { method: 'POST', body: {}, headers, token: false })).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': site },
    });
    expect((await http.ask('/api/callback/1', { method: 'OPTIONS', headers: { ...headers, ...preflight }, token: false })).status).toBe(204);
    expect((await http.ask('/api/callback/1/more', { method: 'POST', body: {}, headers, token: false })).status).toBe(403);
  });
});

test.each(['/api/thing', '/api/stream', '/nowhere'])('%s has the security headers', async (path) => {
  const asked = await fetch(http.url + path, { headers: { authorization: `Bearer ${http.token}` } });
  await asked.body?.cancel();
  expect(asked.headers.get('x-content-type-options')).toBe('nosniff');
  expect(asked.headers.get('referrer-policy')).toBe('no-referrer');
  expect(asked.headers.get('x-frame-options')).toBe('DENY');
  expect(asked.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  expect(asked.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
});

describe('cross-site subresource requests', () => {
  const taken = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
  test.each([
    ['an image', taken],
    ['an image on a page on another port', { ...taken, 'sec-fetch-site': 'same-site' }],
    ['a frame', { ...taken, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
    ['a prefetched page', { ...taken, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch' }],
  ])('%s is rejected before the token check and counts no attempt', async (_, headers) => {
    for (let tries = 0; tries < 15; tries++) {
      expect(await http.ask('/api/thing?token=x', { token: false, headers })).toMatchObject({ status: 403, body: { error: { code: 'origin_not_allowed' } } });
    }
    expect((await http.ask('/api/thing', { token: false, headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
  });

  test('allows following a link from another site', async () => {
    const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await http.ask('/api/thing', { headers: visit })).status).toBe(200);
  });
});

test('a guessable token prevents listening on other interfaces', async () => {
  const open = await openHttp({}, { environment: { AGENT_WEB_TOKEN: 'a', AGENT_WEB_BIND_HOST: '0.0.0.0' }, listen: false });
  await expect(open.kernel.resolve('http').listen()).rejects.toMatchObject({ code: 'HTTP_ERR_TOKEN_GUESSABLE' });
});
