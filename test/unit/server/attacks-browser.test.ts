// What a page of somebody else can make a browser do to this server.
import { connect } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { startHarness, useAll } from '../../helpers/in-process.ts';
import { rawRequest, type RawReply } from '../../helpers/raw-request.ts';

let host: string;
let auth: Record<string, string>;
const harness = useAll(() => startHarness());
beforeAll(async () => {
  host = new URL(harness.url).host;
  auth = { authorization: `Bearer ${harness.token}` };
});

const json = { 'content-type': 'application/json' };
const chatCount = async (): Promise<number> => (await harness.call('GET', '/api/chats')).body.chats.length;

/** As a browser would open a WebSocket. Answers all bytes, which ends only when the server closes the socket. */
function upgrade(path: string, headers: Record<string, string>): Promise<string> {
  const lines = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==', 'sec-websocket-version': '13', ...headers };
  const socket = connect(Number(new URL(harness.url).port), '127.0.0.1');
  socket.write(
    `GET ${path} HTTP/1.1\r\n${Object.entries(lines)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  );
  return readAll(socket);
}

function expectNothingOfUs({ text, headers }: RawReply): void {
  expect(text).not.toContain(harness.token);
  expect(text).not.toContain(harness.home);
  expect(headers['access-control-allow-origin']).toBeUndefined();
}

describe('DNS rebinding', () => {
  test.each(['/api/chats', '/api/config', '/', '/assets/app.js', '/api/stream', '/api/openapi.json'])(
    'a foreign Host learns nothing from %s, with the token or without',
    async (path) => {
      for (const foreign of ['attacker.example', `attacker.example:${new URL(harness.url).port}`]) {
        for (const headers of [
          { host: foreign },
          { host: foreign, ...auth },
          { host: foreign, origin: `http://${foreign}`, 'sec-fetch-site': 'same-origin' },
        ]) {
          const reply = await rawRequest(harness.url, 'GET', path, headers);
          expect([reply.status, reply.body?.error.code]).toEqual([403, 'host_not_allowed']);
          expectNothingOfUs(reply);
        }
      }
    },
  );

  test.each(['/api/stream', '/', '/api/voice'])('a WebSocket upgrade of %s with a foreign Host is refused and its socket closed', async (path) => {
    const answer = await upgrade(path, { host: 'attacker.example', ...auth });
    expect(answer).toMatch(/^HTTP\/1\.1 403 [^]*host_not_allowed/);
  });
});

describe('a cross-site form post', () => {
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'as %s is refused, also where the browser says nothing of its origin and the token is known',
    async (type) => {
      const before = await chatCount();
      // `<input name='{"title":"' value='"}'>` makes a form's body into JSON.
      const body = '{"title":"="}';
      const silent = await rawRequest(harness.url, 'POST', `/api/chats?authToken=${harness.token}`, { host, 'content-type': type }, body);
      expect([silent.status, silent.body?.error.code]).toEqual([415, 'unsupported_media_type']);
      const honest = await rawRequest(harness.url, 'POST', '/api/chats', { host, ...auth, 'content-type': type, origin: 'https://attacker.example' }, body);
      expect([honest.status, honest.body?.error.code]).toEqual([403, 'origin_not_allowed']);
      const none = await rawRequest(harness.url, 'POST', '/api/chats', { host, ...auth }, body);
      expect(none.status).toBe(415);
      expect(await chatCount()).toBe(before);
    },
  );
});

describe('a cross-site fetch', () => {
  test.each(['https://attacker.example', 'null', 'http://localhost:1', 'http://attacker.example:80'])(
    'of the origin %s is refused with its preflight, and may read nothing',
    async (origin) => {
      const before = await chatCount();
      const headers = { host, ...auth, origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };
      for (const reply of [
        await rawRequest(harness.url, 'POST', '/api/chats', { ...headers, ...json }, '{}'),
        await rawRequest(harness.url, 'GET', '/api/config', headers),
        await rawRequest(harness.url, 'GET', '/', headers),
        await rawRequest(harness.url, 'OPTIONS', '/api/chats', { ...headers, 'access-control-request-method': 'POST' }),
      ]) {
        expect([reply.status, reply.body?.error.code]).toEqual([403, 'origin_not_allowed']);
        expectNothingOfUs(reply);
      }
      expect(await chatCount()).toBe(before);
    },
  );

  test.each(['cross-site', 'same-site'])(
    'without an Origin (an image, a script, a link of a page that is %s) gets no token and cannot be embedded',
    async (site) => {
      for (const path of ['/', '/api/config', '/api/chats', '/assets/app.js']) {
        const reply = await rawRequest(harness.url, 'GET', path, { host, 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' });
        expect(reply.text).not.toContain(harness.token);
        expect(reply.headers).toMatchObject({ 'cross-origin-resource-policy': 'same-origin', 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
      }
    },
  );
});

describe('a WebSocket upgrade', () => {
  test.each(['https://attacker.example', 'null', 'http://localhost:1'])('from the origin %s is refused with 403 and its socket closed', async (origin) => {
    for (const path of ['/api/stream', '/api/voice', '/']) {
      const answer = await upgrade(path, { host, ...auth, origin });
      expect(answer).toMatch(/^HTTP\/1\.1 403 [^]*origin_not_allowed/);
      expect(answer).not.toContain(harness.token);
    }
  });
});
