// Tests isolated plugins that allocate memory outside the heap, immediately or gradually: the allocation fails or the plugin is ended and reported.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';

let home: string;
let server: ServerProcess | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugin-memory-'));
  await mkdir(join(home, 'plugins'), { mode: 0o700 });
});
afterEach(async () => {
  await server?.stop('SIGKILL');
  server = undefined;
  await rm(home, { recursive: true, force: true });
});

const route = (name: string, body: string): string =>
  `registry.add('route', { key: 'GET /api/${name}', summary: 'x', tag: 'x', schema: {}, handle: async () => { ${body} } });`;

/**
 * Allocates 3 GB: more than the limit, and less than would harm the machine.
 * @param timeMs CPU time limit, raised because slow allocation would exceed the default first
 */
async function start(timeMs = 60_000): Promise<ServerProcess> {
  await writeFile(
    join(home, 'plugins/takes.mjs'),
    `export const manifest = { name: 'takes', isolation: 'child', capabilities: { timeMs: ${timeMs} } };
    const all = [];
    const take = (mb) => all.push(Buffer.alloc(mb * 1_048_576, 1));
    export function register(registry) {
      ${route('takes-little', 'take(20); return { mb: all.length * 20 };')}
      ${route('takes-all', 'for (let at = 0; at < 60; at++) take(50); return { mb: 3_000 };')}
      ${route('takes-later', 'for (let at = 0; at < 60; at++) { take(50); await new Promise((resolve) => setTimeout(resolve, 30)); } return { mb: 3_000 };')}
      ${route('takes-some', 'for (let at = 0; at < 4; at++) take(50); for (;;);')}
      ${route('takes-nothing', 'return { fine: true };')}
    }`,
    { mode: 0o600 },
  );
  await writeFile(
    join(home, 'plugins/beside.mjs'),
    `export const manifest = { name: 'beside', isolation: 'child' };
    export function register(registry) { ${route('beside', `const end = performance.now() + 1_000; while (performance.now() < end); return { fine: true };`)} }`,
    { mode: 0o600 },
  );
  server = await startServerProcess({ home, workspace: home, environment: { AGENT_PLUGIN_ASK: '0' } });
  while ((await server.call('GET', '/api/config')).status === 503);
  return server;
}

const faultOf = async (name: string): Promise<string | undefined> =>
  (await server?.call('GET', '/api/plugins'))?.body.errors.findLast((fault: any) => fault.plugin === name)?.message;

test.runIf(process.platform === 'linux').each(['takes-all', 'takes-later'])(
  'limits buffer allocations of an isolated process (%s) and keeps it usable',
  async (path) => {
    const { call } = await start();
    expect((await call('GET', '/api/takes-little')).body).toEqual({ mb: 20 });
    expect((await call('GET', `/api/${path}`)).status).not.toBe(200);
    expect(await faultOf('takes')).toMatch(/Array buffer allocation failed|it used more than/);
    expect((await call('GET', '/api/takes-nothing')).body).toEqual({ fine: true });
    expect(await faultOf('beside')).toBeUndefined();
  },
);
