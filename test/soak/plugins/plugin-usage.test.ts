// What plugins from outside take and do wrong is charged to them by name, in the built program.
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProgram, type Ended } from '../../helpers/cli-program.ts';
import { runTurn } from '../../helpers/event-stream.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';

let home: string;
let folder: string;
let server: ServerProcess;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugin-usage-'));
  folder = join(home, 'plugins');
  await mkdir(folder, { mode: 0o700 });
});
afterEach(async () => {
  await server.stop();
  await rm(home, { recursive: true, force: true });
});

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text, { mode: 0o600 });

async function start(environment: Record<string, string> = {}): Promise<void> {
  server = await startServerProcess({ home, workspace: home, environment });
  while ((await server.call('GET', '/api/config')).status === 503);
}

async function usageOf(name: string, days = 0): Promise<any> {
  const { status, body } = await server.call('GET', `/api/plugins/usage?days=${days}`);
  expect(status).toBe(200);
  return body.plugins.find((row: any) => row.name === name);
}

async function until(name: string, fits: (row: any) => boolean): Promise<any> {
  for (;;) {
    const row = await usageOf(name);
    if (fits(row)) return row;
  }
}

/** Runs a command line beside the server, on the same home. */
async function cli(argv: readonly string[]): Promise<Ended> {
  const program = await createProgram();
  try {
    return await program.run(argv, { environment: { APP_HOME: home } });
  } finally {
    await program.clean();
  }
}

const kept = async (): Promise<any> => JSON.parse(await readFile(join(home, 'plugin_usage.json'), 'utf8'));

const busy = (ms: number): string => `{ const end = performance.now() + ${ms}; while (performance.now() < end); }`;
const tool = (name: string, body: string): string =>
  `registry.add('tool', { name: '${name}', description: 'x', effects: ['read'], input: { type: 'object', properties: {} }, run() { ${body} } });`;

test('calls of each kind, and the time they computed, are charged to their plugin and not to the one that called it', async () => {
  await write(
    'works.mjs',
    `export function register(registry, emitter) {
      ${tool('do_work', `${busy(60)} return 'done';`)}
      registry.add('route', { key: 'GET /api/works', summary: 'x', tag: 'x', schema: {}, handle: () => ({}) });
      emitter.tap('turn.before', () => ${busy(30)});
      emitter.on('turn_start', () => {});
      registry.add('job', { name: 'once', when: { everyMs: 3_600_000 }, run: async () => {} });
    }`,
  );
  await write('idle.mjs', 'export function register() {}');
  await start();
  await runTurn(server as never, 'call do_work with {}');
  expect((await server.call('GET', '/api/works')).status).toBe(200);
  const row = await until('works', ({ calls }) => calls.jobs > 0);
  expect(row).toMatchObject({
    origin: 'user',
    state: 'active',
    calls: { tools: 1, routes: 1, hooks: 1, listeners: 1, jobs: 1, total: 5 },
    faults: { total: 0 },
  });
  expect(row.activeMs).toBeGreaterThanOrEqual(90);
  expect(row.memoryBytes).toBeUndefined();
  expect((await usageOf('idle')).activeMs).toBeLessThan(60);
});

test('what a call throws, a hook over its limit, a stall and a file that does not load are faults of the right kind', async () => {
  await write(
    'fails.mjs',
    `export function register(registry, emitter) {
      ${tool('stop_all', `${busy(1_200)} throw new Error('no ' + 'way');`)}
      emitter.tap('settings.provider', () => new Promise(() => {}));
      emitter.on('turn_start', () => { throw new Error('not now'); });
    }`,
  );
  await write('broken.mjs', 'export function register() { throw new Error("never"); }');
  await start();
  await runTurn(server as never, 'call stop_all with {}');
  expect((await server.call('GET', '/api/settings')).status).toBe(200);
  const row = await until('fails', ({ faults }) => faults.slow > 0);
  expect(row).toMatchObject({ faults: { errors: 2, stalls: 1, loads: 0, crashes: 0 } });
  expect(row.lastFault).toMatchObject({ kind: 'slow', at: expect.any(String), message: expect.stringContaining('settings.provider') });
  expect(await usageOf('broken')).toMatchObject({
    state: 'failed',
    faults: { loads: 1 },
    lastFault: { kind: 'load', message: expect.stringContaining('never') },
  });
});

test('the time and memory of a child process are charged to its plugin, and so are an end and a restart', async () => {
  const apart = (name: string, isolation: string): string =>
    // Where memory comes slowly, its usual time is over before its memory is.
    `export const manifest = { name: '${name}', isolation: '${isolation}', capabilities: { timeMs: 60_000 } };
     let kept = '';
     export function register(registry) {
       ${tool(`${name}_work`, `${busy(150)} return 'done';`)}
       ${tool(`${name}_leak`, `const all = []; for (;;) all.push(new Array(100_000).fill(1.5));`)}
     }`;
  await write('isolated.mjs', apart('isolated', 'child'));
  await start({ AGENT_PLUGIN_ASK: '0' });
  for (const name of ['isolated']) {
    await runTurn(server as never, `call ${name}_work with {}`);
    const row = await usageOf(name);
    expect(row.activeMs, name).toBeGreaterThanOrEqual(150);
    expect(row.memoryBytes, name).toBeGreaterThan(1_000_000);
  }
  await runTurn(server as never, 'call isolated_leak with {}');
  expect(await usageOf('isolated')).toMatchObject({
    faults: { crashes: 1 },
    restarts: 0,
    lastFault: { kind: 'crash', message: expect.stringContaining('128 MB') },
  });
  await runTurn(server as never, 'call isolated_work with {}');
  expect(await usageOf('isolated')).toMatchObject({ faults: { crashes: 1 }, restarts: 1 });
  expect((await server.call('GET', '/api/plugins')).status).toBe(200);
});

test('what was counted is kept by day, for the person alone, and a later start adds to it', async () => {
  await write('counts.mjs', `export function register(registry) { ${tool('count_one', `return 'one';`)} }`);
  for (const times of [1, 2]) {
    await start();
    await runTurn(server as never, 'call count_one with {}');
    expect(await usageOf('counts', 7)).toMatchObject({ calls: { tools: times }, days: [{ calls: { tools: times } }] });
    expect(await usageOf('counts')).toMatchObject({ calls: { tools: 1 } });
    expect(await server.stop()).toBe(0);
    const [[day, plugins]] = Object.entries((await kept()).days) as [[string, any]];
    expect([day, plugins.counts.tools]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d$/), times]);
  }
  expect((await stat(join(home, 'plugin_usage.json'))).mode & 0o777).toBe(0o600);
  const { stdout } = await cli(['top', '--days', '7']);
  expect(stdout).toMatch(/^counts +server +2 /m);
});

test('only so many days are kept, and what makes no sense counts nothing', async () => {
  const days = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10), { old: { tools: 1 } }]),
  );
  await writeFile(join(home, 'plugin_usage.json'), JSON.stringify({ days: { ...days, bad: 7, worse: { odd: { tools: 'many', ms: -1 } } }, last: { odd: 1 } }));
  await write('counts.mjs', `export function register(registry) { ${tool('count_one', `return 'one';`)} }`);
  await start();
  await runTurn(server as never, 'call count_one with {}');
  expect(await usageOf('counts', 30)).toMatchObject({ calls: { tools: 1 } });
  await server.stop();
  const after = await kept();
  expect(Object.keys(after.days)).toHaveLength(30);
  expect(Object.values(after.days).some((names: any) => names.counts?.tools === 1)).toBe(true);
  expect(after.last).toEqual({});
});

test('`top` shows it as a table and for programs; what it does not know is refused', async () => {
  await write('works.mjs', `export function register(registry, emitter) { emitter.on('turn_start', () => { throw new Error('not\\n now \\u001b[2J'); }); }`);
  await start();
  await runTurn(server as never, 'hello');
  const { code, stdout } = await cli(['top', '--once']);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^NAME +RUNS IN +CALLS +TIME +MEMORY +FAULTS +LAST FAULT\nworks +server +1 +\d+ ms +shared +1 +\S+ \S+ .*not now/),
  ]);
  expect(stdout).not.toContain('\u001b');
  expect(JSON.parse((await cli(['top', '--json'])).stdout)).toMatchObject({
    days: 0,
    plugins: [{ name: 'works', calls: { listeners: 1 }, faults: { errors: 1 } }],
  });
  expect(await cli(['top', '--days', '31'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--days needs a number from 1 to 30') });
  expect((await server.call('GET', '/api/plugins/usage?days=31')).status).toBe(400);
});
