import type { KernelError, PluginModule } from 'agent-harness/kernel';
import { expect, test } from 'vitest';
import { openHttp, routes } from './open-http.ts';
import { useAll } from '../../../helpers/use-opened.ts';

function throws(name: string, make: () => unknown): Parameters<typeof routes>[0] {
  return {
    key: `GET /api/${name}`,
    handle: () => {
      throw make();
    },
  };
}

const shop: PluginModule<any> = {
  manifest: { name: 'corner-shop', errors: { SOLD_OUT: { message: "There is no '{item}' left.", status: 409 }, ROBBED: { message: 'The shop was robbed.' } } },
  register(registry) {
    const add = (key: string, reason: string): void =>
      void registry.add('route', {
        key: `GET /api/${key}` as const,
        summary: 'Buys.',
        tag: 'shop',
        schema: {},
        handle: () => {
          throw registry.error(reason, { item: 'milk' });
        },
      });
    add('sold-out', 'SOLD_OUT');
    add('robbed', 'ROBBED');
    add('unlisted', 'UNLISTED');
  },
};

const http = useAll(() =>
  openHttp({
    'corner-shop': shop,
    some: routes(
      throws('plain', () => new Error('password is hunter2 in /home/me/secret')),
      throws('system', () => Object.assign(new Error("ENOENT: no such file '/home/me'"), { code: 'ENOENT', status: 404 })),
      throws('library', () => Object.assign(new Error('connect 10.0.0.1 failed'), { code: 'UND_ERR_SOCKET' })),
      throws('text', () => 'just a text'),
      throws('nothing', () => undefined),
      throws('circle', () => {
        const details: Record<string, unknown> = {};
        details['self'] = details;
        return Object.assign(new Error('round'), { code: 'A_ERR_ROUND', status: 400, details } satisfies Partial<KernelError>);
      }),
      throws('wait', () => Object.assign(new Error('later'), { code: 'A_ERR_TOO_MANY_ATTEMPTS', status: 429, details: { retryAfter: 7 } })),
      { key: 'GET /api/late', handle: () => Promise.reject(new Error('hunter2')) },
      {
        key: 'GET /api/half',
        isRaw: true,
        handle: ({ reply }) => {
          reply.sse({ data: 'half' });
          throw new Error('hunter2');
        },
      },
    ),
  }),
);

test('a plugin error is returned with its reason, status and details', async () => {
  const answer = await http.ask('/api/sold-out');
  expect(answer).toMatchObject({ status: 409, headers: { 'content-type': 'application/json; charset=utf-8' } });
  expect(answer.body).toEqual({
    error: { code: 'sold_out', message: "There is no 'milk' left.", details: { item: 'milk' }, requestId: expect.stringMatching(/^req_/) },
  });
});

test('a plugin error without a status is a 500 with its own message', async () => {
  expect(await http.ask('/api/robbed')).toMatchObject({ status: 500, body: { error: { code: 'robbed', message: 'The shop was robbed.' } } });
});

test.each(['plain', 'system', 'library', 'text', 'nothing', 'late', 'unlisted'])('an unexpected error (%s) exposes no internal details', async (name) => {
  const answer = await http.ask(`/api/${name}`);
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({ error: { code: 'internal_error', message: expect.any(String), requestId: expect.any(String) } });
  expect(answer.text).not.toMatch(/hunter2|\/home|10\.0\.0\.1|\.ts|at /);
});

test('the log contains the error with the request id of the reply', async () => {
  const { body } = await http.ask('/api/plain');
  const line = http.logs.find((one) => one.includes(body.error.requestId));
  expect(line).toMatch(/^error http: GET \/api\/plain failed: Error: password is hunter2/);
});

test('each request has its own id', async () => {
  const [one, two] = [await http.ask('/nowhere'), await http.ask('/nowhere')];
  expect(one.body.error.requestId).not.toBe(two.body.error.requestId);
});

test('details that JSON cannot encode are omitted', async () => {
  expect((await http.ask('/api/circle')).body).toEqual({ error: { code: 'round', message: 'round', requestId: expect.any(String) } });
});

test('an error with a wait time sets Retry-After', async () => {
  expect(await http.ask('/api/wait')).toMatchObject({ status: 429, headers: { 'retry-after': '7' } });
});

test('a stream that fails midway is cut off, and the server continues', async () => {
  await expect(http.ask('/api/half')).rejects.toThrow();
  expect((await http.ask('/api/sold-out')).status).toBe(409);
});
