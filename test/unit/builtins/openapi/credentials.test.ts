// Tests connections with several credentials: each call carries those that its operation requires.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connect, documentWith, run, startApi, startOpenapi } from './local-api.ts';
import type { Harness } from '../../../helpers/harness.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const api = useAll(() => startApi(({ headers, url }, response) => void response.writeHead(200).end(JSON.stringify({ headers, url }))));
let harness: Harness;
beforeAll(async () => void (harness = await startOpenapi()));
afterAll(async () => expect(await harness.close()).toEqual([]));
beforeEach(() => void (api.asked.length = 0));

const securitySchemes = {
  key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  app: { type: 'apiKey', in: 'query', name: 'app_id' },
  token: { type: 'http', scheme: 'Bearer' },
  login: { type: 'http', scheme: 'basic' },
};
const get = (operationId: string, security?: object[]): object => ({ get: { operationId, ...(security ? { security } : {}) } });
const spec = documentWith(
  {
    '/both': get('both', [{ key: [], app: [] }]),
    '/either': get('either', [{ login: [] }, { token: [] }]),
    '/open': get('open', []),
    '/optional': get('optional', [{}, { key: [] }]),
    '/usual': get('usual'),
    '/missing': get('missing', [{ login: [] }]),
  },
  { components: { securitySchemes }, security: [{ token: [] }] },
);
const auth = [
  { kind: 'header', name: 'X-API-Key', value: 'key-secret' },
  { kind: 'query', name: 'app_id', value: 'app-secret' },
  { kind: 'bearer', token: 'token-secret', scheme: 'token' },
];

async function carried(operation: string): Promise<string[]> {
  api.asked.length = 0;
  const outcome = await run(harness, `api_${operation}`);
  expect(outcome.ok && outcome.output).not.toMatch(/key-secret|app-secret|token-secret/);
  const [asked] = api.asked;
  return [asked?.headers['x-api-key'], new URL(asked?.url ?? '/', 'http://x').searchParams.get('app_id'), asked?.headers.authorization].flatMap((one) =>
    one === undefined || one === null ? [] : [String(one)],
  );
}

test('sends the credentials of the first complete security requirement, also after a restart', async () => {
  expect((await connect(harness, { spec, baseUrl: api.url, auth })).body).toMatchObject({ ok: true });
  const expectAll = async (): Promise<void> => {
    expect(await carried('both')).toEqual(['key-secret', 'app-secret']);
    expect(await carried('either')).toEqual(['Bearer token-secret']);
    expect(await carried('open')).toEqual([]);
    expect(await carried('optional')).toEqual(['key-secret']);
    expect(await carried('usual')).toEqual(['Bearer token-secret']);
    expect(await carried('missing')).toEqual([]);
  };
  await expectAll();
  await harness.close({ keepFiles: true });
  harness = await startOpenapi({ home: harness.home, workspace: harness.workspace, outlivesTest: true });
  await harness.call('GET', '/api/integrations');
  await expectAll();
});

test('signs every call with a single credential', async () => {
  await connect(harness, { spec, baseUrl: api.url, auth: { kind: 'bearer', token: 'token-secret' } });
  for (const operation of ['both', 'open', 'usual']) expect(await carried(operation)).toEqual(['Bearer token-secret']);
});

test('rejects a security scheme that the document does not define', async () => {
  const reply = await connect(harness, { spec, baseUrl: api.url, auth: [{ kind: 'bearer', token: 'x', scheme: 'tokn' }] });
  expect([reply.status, reply.body.error]).toMatchObject([422, { code: 'scheme_unknown', message: expect.stringContaining('key, app, token, login') }]);
});

const session = 'c2Vzc2lvbg%3D%3D-secret';
const withSession = documentWith(
  {
    '/mine': {
      get: {
        operationId: 'mine',
        security: [{ session: [], key: [] }],
        parameters: ['lang', 'SESSION'].map((name) => ({ name, in: 'cookie', schema: { type: 'string' } })),
      },
    },
    '/open': get('open', []),
    '/away': get('away', [{ session: [] }]),
    '/round': get('round', [{ session: [] }]),
  },
  { components: { securitySchemes: { ...securitySchemes, session: { type: 'apiKey', in: 'cookie', name: 'session' } } } },
);
const cookie = { kind: 'cookie', name: 'session', value: session };

test('sends a cookie credential only where the document requires it, and never exposes its value', async () => {
  expect((await connect(harness, { spec: withSession, baseUrl: api.url, auth: [cookie, auth[0]] })).body).toMatchObject({ ok: true });
  const outcome = await run(harness, 'api_mine', { lang: 'de' });
  expect(api.asked[0]?.headers).toMatchObject({ cookie: `lang=de; session=${session}`, 'x-api-key': 'key-secret' });
  expect(outcome).toMatchObject({ ok: true, output: expect.stringContaining('lang=de; session=[secret]') });
  expect(await run(harness, 'api_mine', { SESSION: 'other' })).toMatchObject({ ok: false });
  await run(harness, 'api_open');
  expect(api.asked.at(-1)?.headers).not.toHaveProperty('cookie');
  const files = await harness.call('GET', '/api/integrations');
  expect(JSON.stringify(files.body)).not.toContain('c2Vzc2lvbg');
  expect(await readFile(join(harness.home, 'integrations.json'), 'utf8')).not.toContain('c2Vzc2lvbg');
});

test('sends a cookie credential only to its own server and ignores Set-Cookie of redirects', async () => {
  const other = await startApi();
  const own = await startApi(({ url, headers }, response) => {
    if (url === '/away') return void response.writeHead(302, { location: `${other.url}/open`, 'set-cookie': 'more=1' }).end();
    if (url === '/round') return void response.writeHead(302, { location: '/open', 'set-cookie': 'more=1' }).end();
    response.writeHead(200).end(JSON.stringify({ said: decodeURIComponent(headers.cookie ?? '') }));
  });
  await connect(harness, { spec: withSession, baseUrl: own.url, auth: [cookie, auth[0]] });
  await run(harness, 'api_away');
  expect(other.asked).toEqual([]);
  const outcome = await run(harness, 'api_round');
  expect(own.asked.map(({ url, headers }) => [url, headers.cookie])).toEqual(['/away', '/round', '/open'].map((url) => [url, `session=${session}`]));
  expect(outcome).toMatchObject({ ok: true, output: expect.stringContaining('session=[secret]') });
});

test.each(['two; other=1', 'a b', 'a,b', '"quoted"', 'back\\slash', 'line\nbreak', ''])('rejects a value that is invalid in a cookie: %j', async (value) => {
  const reply = await connect(harness, { spec: withSession, baseUrl: api.url, auth: { ...cookie, value } });
  expect(reply).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
});

test('trims pasted credentials and reports the position of an invalid character', async () => {
  const pasted = [
    { kind: 'header', name: 'X-API-Key', value: ' key-secret\r\n' },
    { kind: 'bearer', token: 'Bearer "token-secret"\n', scheme: 'token' },
  ];
  expect((await connect(harness, { name: 'pasted', spec, baseUrl: api.url, auth: pasted })).body).toMatchObject({ ok: true });
  api.asked.length = 0;
  await run(harness, 'pasted_either');
  expect(api.asked[0]?.headers.authorization).toBe('Bearer token-secret');
  await run(harness, 'pasted_optional');
  expect(api.asked[1]?.headers['x-api-key']).toBe('key-secret');
  const refused = await connect(harness, { name: 'bad', spec, baseUrl: api.url, auth: [{ kind: 'bearer', token: 'a\u200bb', scheme: 'token' }] });
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { code: 'credential_invalid', message: expect.stringContaining('The token has the character U+200B at position 2') } },
  });
});
