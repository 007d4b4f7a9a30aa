import '../../../helpers/plain-resolution.ts';
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import type { FindAddresses } from '#lib/net';
import { createGuardedFetch } from '../../../../builtins/connections/mcp/transport/guarded-fetch.ts';
import { largestMessage } from '../../../../builtins/connections/mcp/limits.ts';
import { startLocalServer } from '../../../helpers/local-server.ts';

async function listen(answer: (request: IncomingMessage) => { status?: number; headers?: Record<string, string>; body?: string }): Promise<URL> {
  const { url } = await startLocalServer((request, reply) => {
    const { status = 200, headers = {}, body = '' } = answer(request);
    reply.writeHead(status, headers).end(body);
  });
  return new URL(`${url}/`);
}

const addresses: Record<string, string[]> = {
  'mcp.example': ['93.184.216.34'],
  'inside.example': ['93.184.216.34', '10.0.0.7'],
  'own.internal': ['10.0.0.7'],
  'half.example': ['10.0.0.7', '93.184.216.34'],
  'none.example': [],
  'cloud.example': ['169.254.169.254'],
};
const find: FindAddresses = async (host) => (addresses[host] ?? []).map((address) => ({ address, family: 4 }));

test.each([
  ['https://inside.example/token', 'in this network'],
  ['https://none.example/token', 'no address'],
  ['http://127.0.0.1:9/token', 'in this network'],
  ['https://[::ffff:169.254.169.254]/latest', 'servers may not name'],
  ['http://93.184.216.34/token', 'not encrypted'],
  ['file:///etc/passwd', 'not fetched'],
])('rejects a fetch from a public server to %s', async (target, why) => {
  const fetchIt = createGuardedFetch(new URL('https://mcp.example/mcp'), { authorization: 'secret' }, find);
  await expect(fetchIt(target)).rejects.toThrow(why);
});

test.each([
  ['http://169.254.169.254/latest', 'servers may not name'],
  ['http://[fe80::1]/', 'servers may not name'],
  ['http://[fd00:ec2::254]/latest', 'servers may not name'],
  ['http://100.100.100.200/latest', 'servers may not name'],
  ['http://0.0.0.0:9/', 'in this network'],
  ['http://cloud.example/latest', 'servers may not name'],
  ['http://127.0.0.1:9/', 'in this network'],
])('rejects a fetch from a server in the private network to %s', async (target, why) => {
  for (const base of ['http://10.0.0.7/mcp', 'http://own.internal/mcp']) {
    await expect(createGuardedFetch(new URL(base), {}, find)(target)).rejects.toThrow(why);
  }
});

test('treats a server with any public address as public', async () => {
  const fetchIt = createGuardedFetch(new URL('https://half.example/mcp'), {}, find);
  await expect(fetchIt('https://own.internal/token')).rejects.toThrow('in this network');
});

test('connects to the address that was checked, without a second lookup', async () => {
  const asked: string[] = [];
  const other = await listen(({ headers }) => ({ body: String(headers.host) }));
  const changing: FindAddresses = async (host) => [{ address: asked.push(host) === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }];
  const fetchIt = createGuardedFetch(new URL('http://127.0.0.1:9/mcp'), {}, changing);
  const answer = await fetchIt(`http://changing.example:${other.port}/token`, { method: 'POST', body: 'a=b' });
  expect(await answer.text()).toBe(`changing.example:${other.port}`);
  expect(asked).toEqual(['changing.example']);
});

test('sends the secret only to the origin of the server and does not follow a redirect', async () => {
  const seen: (string | undefined)[] = [];
  const other = await listen(({ headers }) => (seen.push(headers.authorization), {}));
  const own = await listen(({ headers }) => (seen.push(headers.authorization), { status: 302, headers: { location: other.href } }));
  const fetchIt = createGuardedFetch(own, { authorization: 'secret' });
  expect((await fetchIt(own)).status).toBe(302);
  expect((await fetchIt(other)).status).toBe(200);
  expect(seen).toEqual(['secret', undefined]);
});

test('aborts an oversized document, but not a long event stream', async () => {
  const line = `data: ${'x'.repeat(1_000_000)}\n`;
  const own = await listen(({ url }) =>
    url === '/stream'
      ? { headers: { 'content-type': 'text/event-stream' }, body: line.repeat(12) }
      : { headers: { 'content-type': 'application/json' }, body: 'x'.repeat(largestMessage + 1) },
  );
  const fetchIt = createGuardedFetch(own, {});
  await expect((await fetchIt(own)).text()).rejects.toThrow('more than 10 MB');
  expect((await (await fetchIt(new URL('/stream', own))).text()).length).toBe(12 * line.length);
});
