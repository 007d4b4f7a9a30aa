import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import { connect, documentWith, run, startApi, startOpenapi } from './local-api.ts';
import { useAll, useFolder } from '../../../helpers/use-opened.ts';

const token = 'top-secret-value';
const theirs = useFolder('theirs-');

const parameter = (name: string, place: string, schema: object, rest: object = {}): object => ({
  name,
  in: place,
  required: place === 'path',
  schema,
  ...rest,
});
const list = { type: 'array', items: { type: 'string' } };
const object = { type: 'object' };
const json = { type: 'object', properties: { a: { type: 'integer' } } };
const body = (mediaType: string, schema: object): object => ({ requestBody: { content: { [mediaType]: { schema } } } });
const paths = {
  '/p/{id}': { get: { operationId: 'path', parameters: [parameter('id', 'path', {})] } },
  '/r/{id}': { get: { operationId: 'reserved', parameters: [parameter('id', 'path', {}, { allowReserved: true })] } },
  '/two/{a}{b}': { get: { operationId: 'two', parameters: [parameter('a', 'path', {}), parameter('b', 'path', {})] } },
  '/label/{a}/{b}': {
    get: {
      operationId: 'styled',
      parameters: [parameter('a', 'path', list, { style: 'label', explode: true }), parameter('b', 'path', object, { style: 'matrix' })],
    },
  },
  '/q': {
    get: {
      operationId: 'query',
      parameters: [
        parameter('many', 'query', list),
        parameter('comma', 'query', list, { explode: false }),
        parameter('pipe', 'query', list, { style: 'pipeDelimited', explode: false }),
        parameter('space', 'query', list, { style: 'spaceDelimited', explode: false }),
        parameter('filter', 'query', object, { style: 'deepObject' }),
        parameter('fields', 'query', object),
        parameter('raw', 'query', {}, { allowReserved: true }),
        { name: 'asJson', in: 'query', content: { 'application/json': { schema: json } } },
        parameter('plain', 'query', {}),
        parameter('X-Trace', 'header', {}),
        parameter('session', 'cookie', {}),
        parameter('Authorization', 'header', {}),
        parameter('Host', 'header', {}),
        parameter('key', 'query', {}),
      ],
    },
  },
  '/json': { post: { operationId: 'json', ...body('application/json', json) } },
  '/patch': { patch: { operationId: 'merge', ...body('application/merge-patch+json', json) } },
  '/form': { post: { operationId: 'form', ...body('application/x-www-form-urlencoded', object) } },
  '/parts': {
    post: {
      operationId: 'parts',
      ...body('multipart/form-data', { type: 'object', properties: { note: { type: 'string' }, file: { type: 'string', format: 'binary' } } }),
    },
  },
  '/text': { put: { operationId: 'text', ...body('text/markdown', { type: 'string' }) } },
  '/upload': { post: { operationId: 'upload', ...body('application/octet-stream', { type: 'string', format: 'binary' }) } },
  '/jump': {
    get: { operationId: 'jump', parameters: [parameter('to', 'query', {})] },
    post: { operationId: 'post_jump', parameters: [parameter('to', 'query', {}), parameter('status', 'query', {})] },
  },
  '/answer': { get: { operationId: 'answer', parameters: [parameter('kind', 'query', {})] }, head: { operationId: 'look' }, delete: { operationId: 'remove' } },
};

const other = useAll(() => startApi());
const api = useAll(() =>
  startApi((asked, response) => {
    const url = new URL(asked.url, 'http://x');
    const kind = url.searchParams.get('kind');
    const to = url.searchParams.get('to');
    if (to !== null) response.writeHead(Number(url.searchParams.get('status') ?? 302), { location: to }).end();
    else if (kind === 'missing') response.writeHead(404, { 'content-type': 'application/json' }).end(`{"message":"no ${token} here"}`);
    else if (kind === 'image') response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(100));
    else if (kind === 'empty') response.writeHead(204).end();
    else if (kind === 'echo') response.writeHead(200, { 'content-type': 'text/plain' }).end(`you sent ${asked.headers.authorization ?? ''} ${asked.url}`);
    else if (kind === 'endless') endless(response);
    else if (kind === 'cut') response.destroy();
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  }),
);
const harness = useAll(() => startOpenapi());
beforeAll(async () => {
  await connect(harness, { spec: documentWith(paths), baseUrl: `${api.url}/base/`, auth: { kind: 'bearer', token } });
  await writeFile(join(harness.workspace, 'a.txt'), 'file text');
});
beforeEach(() => {
  api.asked.length = other.asked.length = 0;
});

function endless(response: ServerResponse): void {
  const more = (): void => void (response.destroyed || (response.write(Buffer.alloc(1024 * 1024, 'x')) ? setImmediate(more) : response.once('drain', more)));
  response.writeHead(200, { 'content-type': 'text/plain' });
  more();
}
const errorOf = (outcome: ToolOutcome): string => (outcome.ok ? `no error: ${outcome.output}` : outcome.error);

test.each<[string, object, string]>([
  ['path', { id: 'a b/c?d#e' }, '/base/p/a%20b%2Fc%3Fd%23e'],
  ['path', { id: '%2e%2e' }, '/base/p/%252e%252e'],
  ['path', { id: '//evil.example/' }, '/base/p/%2F%2Fevil.example%2F'],
  ['path', { id: '@evil.example' }, '/base/p/%40evil.example'],
  ['reserved', { id: 'a/b:c' }, '/base/r/a/b:c'],
  ['reserved', { id: 'a\\..\\b\tc' }, '/base/r/a%5C..%5Cb%09c'],
  ['styled', { a: ['x', 'y'], b: { r: 1 } }, '/base/label/.x.y/;b=r,1'],
  ['query', { many: ['x', 'y'], comma: ['x', 'y'], plain: 'a&b=c' }, '/base/q?many=x&many=y&comma=x,y&plain=a%26b%3Dc'],
  ['query', { pipe: ['x', 'y'], space: ['x', 'y'] }, '/base/q?pipe=x%7Cy&space=x%20y'],
  ['query', { filter: { state: 'open', by: { name: 'me' } }, fields: { a: 1 } }, '/base/q?filter[state]=open&filter[by][name]=me&a=1'],
  ['query', { raw: 'a/b:c?d&e#f', asJson: { a: 1 } }, '/base/q?raw=a/b:c?d%26e%23f&asJson=%7B%22a%22%3A1%7D'],
])('%s with %j requests %s', async (name, args, url) => {
  expect(await run(harness, `api_${name}`, args)).toMatchObject({ ok: true });
  expect(api.asked.map((asked) => asked.url)).toEqual([url]);
});

test.each<[string, object]>([
  ['path', { id: '..' }],
  ['path', { id: '.' }],
  ['path', { id: '' }],
  ['reserved', { id: '../../admin' }],
  ['reserved', { id: 'a/../../..' }],
  ['two', { a: '.', b: '.' }],
  ['reserved', { id: '..' }],
])('rejects %s with %j because the path would leave the operation', async (name, args) => {
  expect(errorOf(await run(harness, `api_${name}`, args))).toMatch(/path/);
  expect(api.asked).toEqual([]);
});

test('sends header and cookie parameters and rejects arguments that the connection sets', async () => {
  expect(await run(harness, 'api_query', { 'X-Trace': 'abc', session: 'a; b' })).toMatchObject({ ok: true });
  expect(api.asked[0]?.headers).toMatchObject({ 'x-trace': 'abc', cookie: 'session=a%3B%20b', authorization: `Bearer ${token}`, host: new URL(api.url).host });
  for (const name of ['Authorization', 'Host']) expect(errorOf(await run(harness, 'api_query', { [name]: 'x' }))).toContain('is not an argument');
  expect(errorOf(await run(harness, 'api_query', { 'X-Trace': 'a\r\nauthorization: b' }))).toContain('header');
  expect(errorOf(await run(harness, 'api_query', { 'X-Trace': 'ключ' }))).toContain('Latin-1');
});

test.each<[string, unknown, string, string]>([
  ['json', { a: 1 }, 'application/json', '{"a":1}'],
  ['merge', { a: 1 }, 'application/merge-patch+json', '{"a":1}'],
  ['form', { a: 'x y', b: [1, 2], c: { d: 'e' } }, 'application/x-www-form-urlencoded', 'a=x%20y&b=1&b=2&c%5Bd%5D=e'],
  ['text', '# Hi', 'text/markdown; charset=utf-8', '# Hi'],
  ['upload', 'a.txt', 'application/octet-stream', 'file text'],
])('sends a %s body with its media type', async (name, value, type, content) => {
  expect(await run(harness, `api_${name}`, { body: value })).toMatchObject({ ok: true });
  expect([api.asked[0]?.headers['content-type'], api.asked[0]?.body]).toEqual([type, content]);
});

test('sends workspace files in a multipart body and rejects all other files', async () => {
  expect(await run(harness, 'api_parts', { body: { note: 'n', file: 'a.txt' } })).toMatchObject({ ok: true });
  const boundary = /boundary=(\w+)/.exec(api.asked[0]?.headers['content-type'] ?? '')?.[1] ?? '?';
  const lines = [
    `--${boundary}`,
    'content-disposition: form-data; name="note"',
    '',
    'n',
    `--${boundary}`,
    'content-disposition: form-data; name="file"; filename="a.txt"',
    'content-type: application/octet-stream',
    '',
    'file text',
    `--${boundary}--`,
    '',
  ];
  expect(api.asked[0]?.body).toBe(lines.join('\r\n'));

  await symlink('/etc/hostname', join(harness.workspace, 'link')).catch(() => undefined);
  await mkdir(join(harness.workspace, 'folder'), { recursive: true });
  for (const file of ['/etc/hostname', '../x', 'link', 'folder', 'none', '']) {
    expect(errorOf(await run(harness, 'api_parts', { body: { file } }))).toMatch(/outside the workspace|no file|is a folder/);
    expect(errorOf(await run(harness, 'api_upload', { body: file }))).toMatch(/outside the workspace|no file|is a folder/);
  }
  expect(api.asked).toHaveLength(1);
});

test('sends the approved file and rejects one that replaced it after approval', async () => {
  const at = (path: string): string => join(harness.workspace, path);
  await mkdir(at('mine'));
  await writeFile(at('mine/b.txt'), 'my content');
  await writeFile(join(theirs, 'b.txt'), 'the secret');
  for (const [name, body] of [
    ['api_upload', 'mine/b.txt'],
    ['api_parts', { file: 'mine/b.txt' }],
  ] as const) {
    const call = { chatId: 'chat', callId: `call_${name}`, workspaceRoot: harness.workspace };
    await harness.kernel
      .resolve('tools')
      .find(name)
      ?.preview?.({ body } as never, call);
    await rename(at('mine'), at('aside'));
    await symlink(theirs, at('mine'));
    expect(errorOf(await run(harness, name, { body }, undefined, call.callId))).toContain('moved or replaced');
    await rm(at('mine'));
    await rename(at('aside'), at('mine'));
  }
  expect(api.asked).toEqual([]);
  expect(await run(harness, 'api_upload', { body: 'mine/b.txt' })).toMatchObject({ ok: true });
  expect(api.asked.map(({ body }) => body)).toEqual(['my content']);
});

test('follows redirects on the same server and never to another one', async () => {
  expect(await run(harness, 'api_jump', { to: '/base/answer' })).toMatchObject({ ok: true });
  expect(api.asked.map(({ url }) => url)).toEqual(['/base/jump?to=%2Fbase%2Fanswer', '/base/answer']);
  for (const name of ['api_jump', 'api_post_jump']) {
    const error = errorOf(await run(harness, name, { to: `${other.url}/steal?file=key` }));
    expect(error).toContain(`redirect to ${other.url}/steal; not followed`);
  }
  expect(other.asked).toEqual([]);
  api.asked.length = 0;
  await run(harness, 'api_post_jump', { to: '/base/answer', status: '303' });
  await run(harness, 'api_post_jump', { to: '/base/answer', status: '307' });
  expect(api.asked.map(({ method, url }) => [method, url.split('?')[0]])).toEqual([
    ['POST', '/base/jump'],
    ['GET', '/base/answer'],
    ['POST', '/base/jump'],
    ['POST', '/base/answer'],
  ]);
});

test('returns response text as untrusted data with credentials redacted', async () => {
  expect(await run(harness, 'api_answer', { kind: 'echo' })).toEqual({
    ok: true,
    output: 'you sent Bearer [secret] /base/answer?kind=echo',
    isUntrusted: true,
  });
  expect(await run(harness, 'api_answer', { kind: 'missing' })).toEqual({
    ok: false,
    error: `GET ${api.url}/base/answer?kind=missing returned status 404.\n{\n  "message": "no [secret] here"\n}`,
    hint: 'Check the arguments in the path.',
    isUntrusted: true,
  });
  expect(await run(harness, 'api_answer', { kind: 'image' })).toMatchObject({ ok: true, output: '[100 bytes of image/png, not text]' });
  expect(await run(harness, 'api_answer', { kind: 'empty' })).toMatchObject({ ok: true, output: 'Status 204, no content.' });
  expect(await run(harness, 'api_look')).toMatchObject({ ok: true });
  expect(errorOf(await run(harness, 'api_answer', { kind: 'cut' }))).toBe(`GET ${api.url}/base/answer?kind=cut: the connection broke.`);
});

test('stores an endless response as an artifact', async () => {
  const outcome = await run(harness, 'api_answer', { kind: 'endless' });
  expect(outcome).toMatchObject({ ok: true, artifactId: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test('auto-approves reads by default, and previews the request of any other call', async () => {
  const tools = harness.kernel.resolve('tools');
  expect(tools.find('api_answer')).toMatchObject({ effects: ['read', 'network'] });
  expect(tools.find('api_remove')).toMatchObject({ effects: ['external'], replay: 'never' });
  const preview = await tools.find('api_json')?.preview?.({ body: { a: 1 } } as never, { chatId: '', callId: '', workspaceRoot: '/w' });
  expect(preview).toEqual({ kind: 'command', command: `POST ${api.url}/base/json\n\n{\n  "a": 1\n}`, cwd: '/w', network: true });
  await connect(harness, { name: 'asks', spec: documentWith(paths), baseUrl: api.url, autoApproveReads: false });
  const asks = tools.find('asks_answer')?.needsApproval as (() => string) | undefined;
  expect(asks?.()).toContain('asks before it reads');
});

test.each<[string, object, object, string | undefined]>([
  ['header', { kind: 'header', name: 'X-Key', value: token }, { 'x-key': token }, undefined],
  ['basic', { kind: 'basic', user: 'me', password: token }, { authorization: `Basic ${Buffer.from(`me:${token}`).toString('base64')}` }, undefined],
  ['query', { kind: 'query', name: 'key', value: `${token}&x=1` }, {}, '/answer?key=top-secret-value%26x%3D1'],
])('signs each call with %s credentials and stores them encrypted', async (_, auth, headers, url) => {
  await connect(harness, { name: 'signed', spec: documentWith(paths), baseUrl: api.url, auth });
  api.asked.length = 0;
  expect(await run(harness, 'signed_answer')).toMatchObject({ ok: true });
  expect(api.asked[0]?.headers).toMatchObject(headers);
  if (url !== undefined) expect(api.asked[0]?.url).toBe(url);
  if (url !== undefined) expect(errorOf(await run(harness, 'signed_query', { key: 'mine' }))).toContain('is not an argument');
  expect(harness.logs.join('\n')).not.toContain(token);
  const saved = await harness.kernel.resolve('connectionStore').entries('openapi');
  expect(JSON.stringify(saved)).not.toContain(token);
});

test('omits the secret from the error when the server is unreachable', async () => {
  await connect(harness, { name: 'gone', spec: documentWith(paths), baseUrl: 'http://127.0.0.1:9', auth: { kind: 'query', name: 'key', value: token } });
  expect(errorOf(await run(harness, 'gone_answer'))).toMatch(/^GET http:\/\/127\.0\.0\.1:9\/answer: (connection refused|the request failed.*)\.$/);
});

test('uses the token of a connected account, and returns a hint when no account is connected', async () => {
  await connect(harness, { name: 'mine', spec: documentWith(paths), baseUrl: api.url, auth: { kind: 'oauth', provider: 'github' } });
  expect(await run(harness, 'mine_answer')).toMatchObject({ ok: false, hint: 'Ask the user to connect an account at github.' });

  const accounts = {
    manifest: { name: 'accounts', provides: ['providerTokens'] },
    register: (registry: any) =>
      registry.provide('providerTokens', () => ({
        token: async (provider: string, accountId?: string) => (accountId === 'bad' ? Promise.reject(new Error(token)) : `token-of-${provider}-${accountId}`),
      })),
  };
  const second = await startOpenapi({ modules: { accounts } as never });
  const auth = (accountId: string): object => ({ kind: 'oauth', provider: 'github', accountId });
  await connect(second, { spec: documentWith(paths), baseUrl: api.url, auth: auth('7') });
  await connect(second, { name: 'bad', spec: documentWith(paths), baseUrl: api.url, auth: auth('bad') });
  api.asked.length = 0;
  expect(await run(second, 'api_answer', { kind: 'echo' })).toMatchObject({ output: expect.stringContaining('Bearer [secret]') });
  expect(api.asked[0]?.headers.authorization).toBe('Bearer token-of-github-7');
  expect(errorOf(await run(second, 'bad_answer'))).toBe('No token is available for github.');
});

test('does not call a server named only by the document when it resolves to this machine', async () => {
  const { send, explainSending } = await import('../../../../builtins/connections/openapi/send.ts');
  const request = { method: 'get', url: api.url.replace('127.0.0.1', 'localhost'), headers: {} };
  const options = { signal: new AbortController().signal, limit: 100, mayFollow: () => false };
  expect(await send(request, { ...options, isPublicOnly: true }).catch(explainSending)).toContain('only an explicit baseUrl allows that');
  expect(api.asked).toEqual([]);
  for (const url of ['http://localhost./', 'http://api.local/', 'http://0x7f.1/', 'http://[::ffff:10.0.0.1]/', 'http://printer/'])
    expect((await connect(harness, { name: 'inner', spec: documentWith(paths, { servers: [{ url }] }) })).body.error).toMatchObject({
      code: 'base_url_private',
    });
});
