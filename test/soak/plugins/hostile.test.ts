// Tests attacks by isolated plugins: none obtains anything that its manifest does not declare.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { attempts, hostilePlugin, type Place } from '../../helpers/hostile-plugins.ts';

let harness: Harness | undefined;
let folder: string | undefined;
const sockets = createServer();
let connections = 0;
sockets.on('connection', (socket) => {
  connections++;
  socket.destroy();
});
afterEach(async () => {
  await harness?.close();
  harness = undefined;
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  sockets.close();
  connections = 0;
});

const mark = 'MARK-OF-THE-SECRET';

async function makePlace(): Promise<Place> {
  folder = await mkdtemp(join(tmpdir(), 'hostile-'));
  for (const name of ['mine', 'outside', 'theirs']) await mkdir(join(folder, name), { mode: 0o700 });
  const [secret, json] = [join(folder, 'theirs/secret.txt'), join(folder, 'theirs/secret.json')];
  await writeFile(secret, `KEY=${mark}\n`);
  await writeFile(json, JSON.stringify({ key: mark }));
  sockets.listen(0, '127.0.0.1');
  await once(sockets, 'listening');
  return { secret, json, mark, outside: join(folder, 'outside'), port: (sockets.address() as { port: number }).port, pid: process.pid };
}

/** Node's permission model does not restrict the network, so these attempts succeed without a sandbox: see `docs/architecture/security.md`. */
const networkAttempts =
  /^(?:requests by http|requests by an http agent|connects|opens a web socket|sends a datagram|looks up a host name|listens|opens a debugger)/;
const ownNetworkAttempts = /^(?:sends a datagram|listens)$/;

test.for([
  ['with bubblewrap', process.env['PATH'] ?? ''],
  ['without bubblewrap', ''],
] as const)('%s: blocks every attempt and keeps running', { timeout: 120_000 }, async ([sandbox, searchPath]) => {
  const hasSandbox = sandbox === 'with bubblewrap';
  const place = await makePlace();
  const bodies = attempts(place);
  await writeFile(join(folder!, 'mine/hostile.mjs'), hostilePlugin('hostile', bodies), { mode: 0o600 });
  harness = await startHarness({
    environment: { AGENT_PLUGIN_DIR: join(folder!, 'mine'), PATH: searchPath, SOME_KEY: mark },
  });
  const { plugins } = (await harness.call('GET', '/api/plugins')).body;
  expect(plugins.find(({ name }: any) => name === 'hostile')).toMatchObject({ state: 'active', isolation: 'child' });
  const succeeded: string[] = [];
  const ended: string[] = [];
  for (const [at, what] of Object.keys(bodies).entries()) {
    const { status, body } = await harness.call('GET', `/api/hostile-${at}`);
    const got = body.got as string | undefined;
    const isOpen = (hasSandbox ? ownNetworkAttempts : networkAttempts).test(what);
    if (!isOpen && status === 200 && got !== undefined && !['undefined', 'posted', ''].includes(got)) succeeded.push(`${what}: ${got.slice(0, 200)}`);
    if (JSON.stringify(body).includes(mark)) succeeded.push(`${what}: ${JSON.stringify(body).slice(0, 200)}`);
    if ((await harness.call('GET', '/api/hostile-fine')).body.fine !== true) ended.push(what);
  }
  expect(succeeded).toEqual([]);
  expect(ended).toEqual([]);
  if (hasSandbox) expect(connections).toBe(0);
  expect(await readdir(place.outside)).toEqual([]);
  expect(await readFile(place.secret, 'utf8')).toContain(mark);
  expect(harness.logs.join('\n')).not.toContain(mark);
  expect((await harness.call('GET', '/api/status')).status).toBe(200);
});

test('grants the declared capabilities and nothing else', async () => {
  const place = await makePlace();
  const answers = createHttpServer((request, reply) => {
    if (request.url === '/away') return reply.writeHead(302, { location: `http://127.0.0.1:${place.port}/` }).end();
    reply.setHeader('x-own', 'yes').end(`${request.method} ${String(request.headers['x-mine'])} ${request.headers.host}`);
  });
  answers.listen(0, '127.0.0.1');
  await once(answers, 'listening');
  const { port } = answers.address() as AddressInfo;
  const read = join(folder!, 'read');
  await mkdir(read);
  await writeFile(join(read, 'open.txt'), 'for all');
  const route = (name: string, body: string): string =>
    `registry.add('route', { key: 'GET /api/${name}', summary: 'x', tag: 'x', schema: {}, handle: async () => { try { ${body} } catch (fault) { return { fault: fault.message }; } } });`;
  const text = `import { readFile, writeFile, mkdir } from 'node:fs/promises';
export const manifest = { name: 'named', isolation: 'child', capabilities: { hosts: ['127.0.0.1:${port}'], read: ['${read}'], write: ['${place.outside}'] } };
export function register(registry) {
  ${route('asks', `const reply = await fetch('http://127.0.0.1:${port}/', { method: 'POST', body: 'x', headers: { 'x-mine': 'm', host: 'other' } }); return { text: await reply.text(), own: reply.headers.get('x-own') };`)}
  ${route('follows', `return { text: await (await fetch('http://127.0.0.1:${port}/away')).text() };`)}
  ${route('reads', `return { text: await readFile('${read}/open.txt', 'utf8') };`)}
  ${route('writes', `await writeFile('${place.outside}/new.txt', 'new'); await mkdir(registry.plugin.dataDir, { recursive: true }); await writeFile(registry.plugin.dataDir + '/own.txt', 'own'); return {};`)}
  ${route('overwrites', `await writeFile('${read}/open.txt', 'mine'); return {};`)}
}`;
  await writeFile(join(folder!, 'mine/named.mjs'), text, { mode: 0o600 });
  harness = await startHarness({ environment: { AGENT_PLUGIN_DIR: join(folder!, 'mine'), PATH: process.env['PATH'] } });
  const ask = async (name: string): Promise<any> => (await harness!.call('GET', `/api/${name}`)).body;
  expect(await ask('asks')).toEqual({ text: `POST m 127.0.0.1:${port}`, own: 'yes' });
  expect((await ask('follows')).fault).toContain(`may not connect to 127.0.0.1:${place.port}`);
  expect(await ask('reads')).toEqual({ text: 'for all' });
  expect(await ask('writes')).toEqual({});
  expect(await readFile(join(place.outside, 'new.txt'), 'utf8')).toBe('new');
  expect((await ask('overwrites')).fault).toMatch(/restricted|not permitted|read-only|EROFS/);
  expect(await readFile(join(read, 'open.txt'), 'utf8')).toBe('for all');
  expect(connections).toBe(0);
  answers.close();
});

test.for([
  [`{ hosts: ['*'] }`, "manifest.capabilities.hosts has '*'"],
  [`{ hosts: ['*.org'] }`, "manifest.capabilities.hosts has '*.org'"],
  [`{ hosts: ['https://example.org'] }`, 'Write a host as'],
  [`{ read: ['../up'] }`, 'Start the path with / or ~/'],
  [`{ memoryMb: 1e9 }`, 'a whole number from 32 to 1024'],
  [`{ everything: true }`, 'manifest.capabilities.everything is unknown'],
  [`'all'`, 'must be an object'],
])('refuses a plugin with the capabilities %s and names the fault', async ([capabilities, reason]) => {
  await makePlace();
  const text = `export const manifest = { name: 'wrong', isolation: 'child', capabilities: ${capabilities} };\nexport function register() {}`;
  await writeFile(join(folder!, 'mine/wrong.mjs'), text, { mode: 0o600 });
  harness = await startHarness({ environment: { AGENT_PLUGIN_DIR: join(folder!, 'mine'), PATH: process.env['PATH'] } });
  const { plugins } = (await harness.call('GET', '/api/plugins')).body;
  expect(plugins.find(({ name }: any) => name === 'wrong')).toMatchObject({ state: 'failed', reason: expect.stringContaining(String(reason)) });
});
