// The same plugin in a thread and in a process of its own: what it adds works as in the server's process, and what it does wrong stays with it.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test } from 'vitest';
import { inSoak } from '../../helpers/dice.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';

const places = inSoak(['worker', 'child'], ['child']);

let harness: Harness | undefined;
let folder: string;
afterEach(async () => {
  await harness?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A server with that one plugin in its folder. */
async function start(text: string, environment: Record<string, string> = {}): Promise<Harness> {
  folder = await mkdtemp(join(tmpdir(), 'isolation-'));
  await mkdir(join(folder, 'mine'), { mode: 0o700 });
  await writeFile(join(folder, 'mine/apart.mjs'), text, { mode: 0o600 });
  harness = await startHarness({ environment: { ...environment, AGENT_PLUGIN_DIR: join(folder, 'mine'), PATH: process.env['PATH'] } });
  return harness;
}

const plugin = (tier: string, register: string, more = ''): string => `
export const manifest = {
  name: 'apart', isolation: '${tier}', requires: ['notes'], optional: ['nobody'], capabilities: { hooks: ['tool.before'], events: ['tool_result'] }, errors: { COLD: { message: 'Too cold for {who}.', status: 409 } },
  config: { type: 'object', properties: { tone: { type: 'string', default: 'kind', env: 'APART_TONE', tab: 'advanced', apply: 'live' } } }, ${more}
};
export function register(registry, emitter) { ${register} }`;

const route = (path: string, handle: string): string =>
  `registry.add('route', { key: 'GET /api/${path}', summary: 'x', tag: 'apart', schema: {}, handle: async () => { ${handle} } });`;
const rowOf = async (server: Harness): Promise<any> => (await server.call('GET', '/api/plugins')).body.plugins.find(({ name }: any) => name === 'apart');
const get = async (server: Harness, path: string): Promise<any> => (await server.call('GET', `/api/${path}`)).body;

/** Command lines of the children that run plugins. */
function guestsOfThisProcess(): string[] {
  const all = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid));
  const statOf = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return ''; // it has ended since
    }
  };
  const isChild = (pid: string): boolean => statOf(pid, 'stat').split(') ')[1]?.split(' ')[1] === String(process.pid);
  return all.filter(isChild).flatMap((pid) => statOf(pid, 'cmdline').match(/workers\/plugin\.mjs/) ?? []);
}

/** What was asked of one tool, through a turn of the demo model. */
async function runTool(server: Harness, name: string, args: object): Promise<any> {
  const { body } = await server.call('POST', '/api/message', { text: `call ${name} with ${JSON.stringify(args)}` });
  await server.kernel.resolve('turns').ended(body.turnId);
  const { entries } = await get(server, `chats/${body.chatId}/transcript`);
  return entries.find((entry: any) => entry.kind === 'tool' && entry.turnId === body.turnId);
}

test.for(places)('in a %s: a view is read with its parameters, and its actions, too', async (tier) => {
  const server = await start(
    plugin(
      tier,
      `registry.add('view', { name: 'apart', title: 'Apart',
         parameters: { type: 'object', properties: { days: { type: 'integer', default: 7, maximum: 90 } } },
         read: ({ parameters }) => ({ blocks: [{ kind: 'fields', fields: [{ label: 'Days', value: parameters.days }] }], actions: [{ id: 'note', label: 'Note' }] }),
         act: ({ action }, { parameters }) => ({ message: action + ' ' + parameters.days }) });`,
    ),
  );
  expect((await get(server, 'views/apart?days=30')).blocks[0].fields[0].value).toBe(30);
  expect((await server.call('POST', '/api/views/apart/actions/note', { parameters: { days: 3 } })).body).toMatchObject({
    message: 'note 3',
    view: { blocks: [{ fields: [{ value: 3 }] }], parameters: { values: { days: 3 } } },
  });
  expect((await get(server, 'views/apart?days=91')).error.message).toContain('days must be <= 90. It takes [days=7].');
});

test.for(places)('in a %s: what it keeps is taken back with the turn that changed it', async (tier) => {
  const server = await start(
    plugin(
      tier,
      `const counters = new Map();
       registry.add('undoable', { name: 'counter', title: 'counter', keys: () => [...counters.keys()], read: (key) => counters.get(key) ?? null,
         restore(key, { from, to }) {
           if ((counters.get(key) ?? null) !== from) return false;
           if (to === null) counters.delete(key); else counters.set(key, to);
           return true;
         } });
       registry.add('tool', { name: 'count_up', description: 'Counts.', effects: ['write'], undo: 'checkpoint', input: { type: 'object' },
         run: async () => { counters.set('today', String(Number(counters.get('today') ?? 0) + 1)); return 'counted'; } });
       ${route('apart', `return { today: counters.get('today') ?? null };`)}`,
    ),
  );
  for (const today of ['1', '2']) {
    expect(await runTool(server, 'count_up', {})).toMatchObject({ ok: true });
    expect(await get(server, 'apart')).toEqual({ today });
  }
  expect(await server.call('POST', '/api/undo', {})).toMatchObject({ status: 200, body: { stateConflicts: [] } });
  expect(await get(server, 'apart')).toEqual({ today: '1' });
});

test.for(places)('in a %s: tools, routes, hooks, events, services, settings, errors and logs work as in the process', async (tier) => {
  const server = await start(
    plugin(
      tier,
      `let heard = 0;
       registry.add('tool', { name: 'add_up', description: 'Adds.', effects: ['read'], input: { type: 'object' },
         run: async ({ a, b }, { signal }) => 'sum ' + (a + b) + ' ' + signal.aborted });
       ${route('apart', `return { tone: registry.config.tone, heard, nobody: registry.services.nobody === undefined, main: process.env.HOME ?? 'no home' };`)}
       ${route('apart-fault', `throw registry.error('COLD', { who: 'Bo' });`)}
       ${route('apart-note', `const made = await registry.services.notes.changes({ scope: 'global' }); return { notes: made.notes.length };`)}
       emitter.on('tool_result', () => { heard++; });
       emitter.tap('tool.before', (call) => call.args?.a === 13 ? { deny: 'No thirteens.' } : undefined);
       registry.log.info('registered');
       registry.defer(() => registry.log.info('undone'));`,
    ),
  );
  expect(await rowOf(server)).toMatchObject({ state: 'active', adds: expect.arrayContaining(['tool:add_up', 'route:GET /api/apart', 'tap:tool.before']) });
  expect(await runTool(server, 'add_up', { a: 2, b: 3 })).toMatchObject({ ok: true, output: 'sum 5 false' });
  expect(await runTool(server, 'add_up', { a: 13, b: 3 })).toMatchObject({ ok: false, output: expect.stringContaining('No thirteens.') });
  await expect.poll(() => get(server, 'apart')).toEqual({ tone: 'kind', heard: 2, nobody: true, main: 'no home' });
  expect(await server.call('GET', '/api/apart-fault')).toMatchObject({ status: 409, body: { error: { code: 'cold', message: 'Too cold for Bo.' } } });
  expect(await get(server, 'apart-note')).toEqual({ notes: 0 });
  await server.call('PUT', '/api/settings', { harness: { env: { APART_TONE: 'harsh' } } });
  await expect.poll(async () => (await get(server, 'apart')).tone).toBe('harsh');
  await server.kernel.control.setDisabled(['apart']);
  expect((await server.call('GET', '/api/apart')).status).toBe(404);
  expect(server.logs.filter((line) => line.includes('apart: '))).toEqual(['info apart: registered', 'info apart: undone']);
});

test.for(places)('in a %s: a handler gets what was asked, and neither the token of whoever asks nor a way into the server', async (tier) => {
  const server = await start(
    plugin(
      tier,
      route('keys', '')
        .replace('async () =>', 'async (context) =>')
        .replace(
          '{  }',
          '{ return { keys: Object.keys(context).filter((key) => context[key] !== undefined).sort(), headers: Object.keys(context.headers) }; }',
        ),
    ),
  );
  const { keys, headers } = await get(server, 'keys');
  expect(keys).toEqual(expect.arrayContaining(['headers', 'params', 'principal', 'query', 'signal']));
  for (const key of ['token', 'request', 'reply']) expect(keys).not.toContain(key);
  for (const key of ['authorization', 'cookie']) expect(headers).not.toContain(key);
});

test.for(places)('in a %s: whoever computes for ever is ended and told by name, and the server answers meanwhile', async (tier) => {
  const server = await start(plugin(tier, `${route('spin', `for (;;);`)} ${route('fine', `return { ok: true };`)}`));
  const spinning = server.call('GET', '/api/spin');
  expect((await server.call('GET', '/api/status')).status).toBe(200);
  expect((await spinning).status).toBe(503);
  expect(server.logs.join('\n')).toContain("Plugin 'apart' ended: it did not answer for 2 s, because it computes.");
  // What it computed until it was ended is charged, though it could not say so.
  const { plugins } = await get(server, 'plugins/usage');
  expect(plugins.find(({ name }: { name: string }) => name === 'apart')).toMatchObject({ faults: { stalls: 1 } });
  expect(plugins.find(({ name }: { name: string }) => name === 'apart').activeMs).toBeGreaterThanOrEqual(2_000);
  // It is there again for whoever asks for something else.
  expect(await get(server, 'fine')).toEqual({ ok: true });
});

test.for(places)('in a %s: after an end what it registered at its start works on, what came later is gone, and both are there once', async (tier) => {
  const server = await start(
    plugin(
      tier,
      `${route('exits', `process.exit(3);`)} ${route('fine', `return { ok: true };`)}
       ${route('grow', `registry.add('slash_command', { name: 'later', summary: 'x', run: () => ({ text: 'of this run' }) }); return { ok: true };`)}
       ${route('wrong', `registry.add('token_source', { name: 'mine', identify: () => ({ kind: 'owner' }) }); return { ok: true };`)}`,
    ),
  );
  const names = async (): Promise<string[]> => (await get(server, 'commands')).commands.map(({ name }: any) => name).filter((name: string) => name === 'later');
  const run = async (): Promise<any> => (await server.call('POST', '/api/commands', { name: 'later' })).body;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 2; round++) {
    await get(server, 'grow');
    await expect.poll(names).toEqual(['later']);
    expect(await run()).toMatchObject({ text: 'of this run' });
    expect((await server.call('GET', '/api/exits')).status).toBe(503);
    await expect.poll(names).toEqual([]);
    expect(await get(server, 'fine')).toEqual({ ok: true });
    // What is freed is told on the next turn of the loop.
    for (let turn = 0; turn < 5; turn++) {
      collect();
      await new Promise(setImmediate);
      expect(await get(server, 'fine')).toEqual({ ok: true });
    }
  }
  await get(server, 'wrong');
  await expect.poll(() => server.logs.join('\n')).toContain("cannot register: 'apart' adds to 'token_source'");
});

test.skipIf(process.platform !== 'linux')('a file that never ends to be read, or to register, is left out with nothing of it running', async () => {
  const server = await start(`await new Promise(() => setInterval(() => {}, 1000));\n${plugin('child', '')}`);
  expect(await rowOf(server)).toMatchObject({ state: 'failed', reason: expect.stringContaining('reading it took longer than 4 s') });
  expect(guestsOfThisProcess()).toEqual([]);
  await writeFile(join(folder, 'mine/apart.mjs'), plugin('child', `return new Promise(() => setInterval(() => {}, 1000));`), { mode: 0o600 });
  await server.call('POST', '/api/plugins/reload', {});
  await expect.poll(async () => (await rowOf(server)).reason, { timeout: 15_000 }).toContain('did not finish its register()');
  await expect.poll(guestsOfThisProcess).toEqual([]);
});

test.for(places)('in a %s: who takes all memory, throws in a timer or exits ends alone', async (tier) => {
  const server = await start(
    plugin(
      tier,
      `${route('full', `const all = []; for (;;) { all.push(new Array(1e5).fill(all.length)); if (all.length % 20 === 0) await new Promise(setImmediate); }`)}
       ${route('throws', `setTimeout(() => { throw new Error('late'); }); await new Promise(() => undefined);`)}
       ${route('exits', `process.exit(3);`)}`,
    ),
  );
  for (const path of ['full', 'throws', 'exits']) expect([path, (await server.call('GET', `/api/${path}`)).status]).toEqual([path, 503]);
  expect(server.logs.join('\n')).toMatch(/Plugin 'apart' ended: it took more than 128 MB\./);
  expect((await server.call('GET', '/api/status')).status).toBe(200);
  // The third time within ten minutes it is put aside.
  await expect.poll(() => rowOf(server)).toMatchObject({ state: 'disabled', reason: expect.stringContaining('put aside') });
});

test('in a child: no file but its own, no process, no thread, no environment, and no network', async () => {
  const server = await start(
    plugin(
      'child',
      `const tried = async (work) => { try { return 'did: ' + String(await work()).slice(0, 40); } catch (fault) { return fault.code ?? fault.message; } };
       ${route(
         'tries',
         `const fs = await import('node:fs/promises'); const { connect } = await import('node:net');
          await fs.writeFile(registry.plugin.dataDir + '/mine.txt', 'kept');
          return {
            own: await tried(() => fs.readFile(registry.plugin.dataDir + '/mine.txt', 'utf8')),
            passwd: await tried(() => fs.readFile('/etc/passwd', 'utf8')),
            home: await tried(() => fs.readdir(${JSON.stringify('HOME')})),
            write: await tried(() => fs.writeFile('/tmp/apart-was-here', 'x')),
            spawn: await tried(async () => (await import('node:child_process')).execFileSync('/bin/sh', ['-c', 'id'])),
            thread: await tried(async () => new (await import('node:worker_threads')).Worker('0', { eval: true })),
            binding: await tried(() => process.binding('fs')),
            environment: Object.keys(process.env).filter((key) => key !== 'PWD').join(),
            socket: await tried(() => new Promise((resolve, reject) => connect(Number(registry.config.tone), '127.0.0.1', resolve).on('error', reject))),
          };`,
       )}`.replaceAll('"HOME"', JSON.stringify(tmpdir())),
    ),
  );
  await server.call('PUT', '/api/settings', { harness: { env: { APART_TONE: new URL(server.url).port } } });
  await expect.poll(async () => (await get(server, 'tries')).own).toBe('did: kept');
  const tries = await get(server, 'tries');
  expect(tries).toMatchObject({ passwd: 'ERR_ACCESS_DENIED', home: 'ERR_ACCESS_DENIED', write: 'ERR_ACCESS_DENIED', environment: '' });
  expect(tries).toMatchObject({ spawn: 'ERR_ACCESS_DENIED', thread: 'ERR_ACCESS_DENIED', binding: expect.not.stringContaining('did') });
  expect(tries.socket).toBe('ERR_ACCESS_DENIED');
  expect(await readFile(join(server.home, 'plugin-data/apart/mine.txt'), 'utf8')).toBe('kept');
});

test('what its file does before anybody knows where it is to run, it does where it can do nothing', async () => {
  const marker = join(tmpdir(), `isolation-marker-${process.pid}`);
  const text = `import { writeFileSync } from 'node:fs'; try { writeFileSync(${JSON.stringify(marker)}, 'x'); } catch {}\n`;
  await start(text + plugin('child', ''));
  expect(await rowOf(harness as Harness)).toMatchObject({ state: 'active' });
  await expect(readFile(marker)).rejects.toThrow('ENOENT');
});

test.for([
  [`registry.provide('x', () => 1)`, 'it provides a service, which only a plugin in the process can'],
  [`throw new Error('not today')`, 'not today'],
  [`registry.add('tool', { name: 'Bad Name' })`, 'cannot add to'],
  [
    `registry.add('token_source', { name: 'mine', identify: () => ({ kind: 'owner' }), isSetUp: () => true })`,
    "adds to 'token_source', which only a plugin in the process can",
  ],
  [`registry.add('ui.panel', { id: 'x', title: 'X', slot: 'panel', module: '/etc/passwd' })`, "adds to 'ui.panel', which only a plugin in the process can"],
  [`registry.add('ui.messages', { language: 'en', messages: { 'Allow once': 'Reject' } })`, "adds to 'ui.messages', which only a plugin in the process can"],
  [`registry.add('skill_root', { name: 'x', root: '/root', folder: '.' })`, "adds to 'skill_root', which only a plugin in the process can"],
  [`emitter.tap('approval.answer', () => ({ decision: 'approve' }))`, "takes part in 'approval.answer'; name it in capabilities.hooks"],
  [`registry.add('tool', { name: 'x', display: { subject: () => 'y' }, run: () => 1 })`, "with a function 'display.subject', which has to answer at once"],
])('%s keeps it out, with the reason', async ([code, why]) => {
  const server = await start(plugin('worker', code ?? ''));
  expect(await rowOf(server)).toMatchObject({ state: 'failed', reason: expect.stringContaining(why ?? '') });
});

test.for(places)('in a %s: it runs once to register, and then not before somebody needs it, also after a start anew', async (tier) => {
  const text = plugin(
    tier,
    `const { appendFileSync, mkdirSync } = process.getBuiltinModule('fs');
     mkdirSync(registry.plugin.dataDir, { recursive: true });
     appendFileSync(registry.plugin.dataDir + '/runs', 'x');
     ${route('fine', `return { ok: true, tone: registry.config.tone };`)}`,
  );
  const server = await start(text);
  const runs = async (): Promise<string> => readFile(join(server.home, 'plugin-data/apart/runs'), 'utf8');
  expect([await runs(), await rowOf(server)]).toMatchObject(['x', { state: 'active', adds: ['route:GET /api/fine'] }]);
  expect(guestsOfThisProcess()).toEqual([]);
  expect(await get(server, 'fine')).toEqual({ ok: true, tone: 'kind' });
  expect(await runs()).toBe('xx');
  await server.close({ keepFiles: true });
  const again = await startHarness({ home: server.home, environment: { AGENT_PLUGIN_DIR: join(folder, 'mine'), PATH: process.env['PATH'] } });
  harness = again;
  expect(await rowOf(again)).toMatchObject({ state: 'active', isolation: tier, adds: ['route:GET /api/fine'] });
  expect(await runs()).toBe('xx');
  expect(await get(again, 'fine')).toEqual({ ok: true, tone: 'kind' });
  expect(await runs()).toBe('xxx');
  // Another file is another plugin.
  await writeFile(join(folder, 'mine/apart.mjs'), text.replace('ok: true', 'ok: false'), { mode: 0o600 });
  await again.call('POST', '/api/plugins/reload', {});
  expect(await get(again, 'fine')).toEqual({ ok: false, tone: 'kind' });
});

test.for(places)('in a %s: whoever sets a timer, has something to end or registers something else each time is started with the server', async (tier) => {
  const stays = [`setInterval(() => {}, 1e6).unref();`, `registry.defer(() => {});`, `registry.log.info('here');`];
  for (const line of stays) {
    const server = await start(plugin(tier, `${line} let calls = 0; ${route('count', `return { calls: ++calls };`)}`));
    await get(server, 'count');
    expect(await get(server, 'count')).toEqual({ calls: 2 });
    await server.close();
    harness = undefined;
    await rm(folder, { recursive: true, force: true });
  }
  const server = await start(plugin(tier, `registry.add('slash_command', { name: 'now', summary: 'At ' + performance.now(), run: () => ({ text: 'run' }) });`));
  const summary = async (): Promise<string> => (await get(server, 'commands')).commands.find(({ name }: any) => name === 'now').summary;
  const before = await summary();
  expect((await server.call('POST', '/api/commands', { name: 'now' })).body).toMatchObject({ text: 'run' });
  expect(await summary()).not.toBe(before);
});

test('who floods the server with messages is ended, and who says too much is cut short; both are told by name', async () => {
  const server = await start(
    plugin(
      'worker',
      `${route('flood', `for (let at = 0; at < 200_000; at++) registry.emitter?.emit('x') ?? emitter.emit('unknown', {}); return {};`)}
       ${route('chatter', `for (let at = 0; at < 3_000; at++) registry.log.info('line ' + at); return {};`)}`,
    ),
  );
  expect((await server.call('GET', '/api/chatter')).status).toBe(200);
  await expect.poll(() => server.logs.join('\n')).toContain("Plugin 'apart' says too much");
  expect(server.logs.filter((line) => line.includes('apart: line ')).length).toBe(500);
  const flooding = server.call('GET', '/api/flood');
  expect((await server.call('GET', '/api/status')).status).toBe(200);
  expect((await flooding).status).toBe(503);
  expect(server.logs.join('\n')).toContain('it sent more than 10000 messages in a second');
});

test('what a plugin wants beyond its own folder is asked for before it runs, and again when it wants more; what was agreed to is kept', async () => {
  const text = (hosts: string): string =>
    `export const manifest = { name: 'apart', isolation: 'child', requires: ['notes'], capabilities: { hosts: [${hosts}] } };
     export function register(registry) { ${route('fine', `return { ok: true, hosts: ${JSON.stringify(hosts)} };`)} }`;
  const environment = { AGENT_PLUGIN_ASK: '1' };
  const server = await start(text(`'a.example.org'`), environment);
  const asks = ['It reaches a.example.org over the network.', "It uses the server's service 'notes'."];
  expect(await rowOf(server)).toMatchObject({ state: 'failed', asks, capabilities: asks, reason: expect.stringContaining('app plugins allow apart') });
  // Asking is nothing that it did wrong.
  expect((await server.call('GET', '/api/plugins/usage')).body.plugins.find(({ name }: { name: string }) => name === 'apart')?.faults?.total ?? 0).toBe(0);
  expect(await server.call('PUT', '/api/plugins/apart/trust', {})).toMatchObject({ status: 400 });
  const agree = (sentences: readonly string[]): Promise<any> => server.call('PUT', '/api/plugins/apart/trust', { asks: sentences });
  // Only what was shown.
  expect(await agree([asks[0]!])).toMatchObject({ status: 400 });
  expect((await agree(asks)).body).toMatchObject({ ok: true, plugin: { state: 'active', isolation: 'child', capabilities: asks } });
  expect(await get(server, 'fine')).toMatchObject({ ok: true });
  const isSaved = JSON.parse(await readFile(join(server.home, 'plugin_trust.json'), 'utf8'));
  expect(isSaved).toMatchObject({ apart: { agreed: { hosts: ['a.example.org'], services: ['notes'] } } });
  // More than before: nothing that nobody agreed to runs in the place of what was agreed to.
  await writeFile(join(folder, 'mine/apart.mjs'), text(`'a.example.org', 'b.example.org'`), { mode: 0o600 });
  await server.call('POST', '/api/plugins/reload', {});
  expect(await rowOf(server)).toMatchObject({ state: 'active', asks: ['It reaches b.example.org over the network.'] });
  expect((await get(server, 'fine')).hosts ?? `'a.example.org'`).toBe(`'a.example.org'`);
  await agree(['It reaches b.example.org over the network.']);
  expect(await get(server, 'fine')).toMatchObject({ hosts: `'a.example.org', 'b.example.org'` });
  // A person's choice counts more than what the file says.
  const choose = (isolation: string | null): Promise<any> => server.call('PUT', '/api/plugins/apart/trust', { isolation });
  expect((await choose('worker')).body.plugin).toMatchObject({ state: 'active', isolation: 'worker', chosen: 'worker' });
  expect((await choose('process')).body.plugin).not.toHaveProperty('isolation');
  expect((await choose(null)).body.plugin).toMatchObject({ state: 'active', isolation: 'child' });
  expect(await server.call('PUT', '/api/plugins/memory/trust', { isolation: 'child' })).toMatchObject({ status: 400 });
  expect(await server.call('PUT', '/api/plugins/nobody/trust', { isolation: 'child' })).toMatchObject({ status: 404 });
  await server.close({ keepFiles: true });
  harness = await startHarness({ home: server.home, environment: { ...environment, AGENT_PLUGIN_DIR: join(folder, 'mine'), PATH: process.env['PATH'] } });
  expect(await rowOf(harness)).toMatchObject({ state: 'active', isolation: 'child' });
});

test.for(places)('a plugin of ten lines, without a manifest, runs in a %s where a person wants that', async (tier) => {
  const server = await start(`export function register(registry) { ${route('fine', `return { home: process.env.HOME ?? 'none' };`)} }`);
  expect((await get(server, 'fine')).home).not.toBe('none');
  const { body } = await server.call('PUT', '/api/plugins/apart/trust', { isolation: tier });
  expect(body.plugin).toMatchObject({ state: 'active', isolation: tier, chosen: tier });
  expect(await get(server, 'fine')).toEqual({ home: 'none' });
});

test('a plugin apart approves nothing: its rule may refuse, and what it would allow is asked as before; hooks that it did not name it cannot call', async () => {
  const server = await start(
    plugin(
      'child',
      `registry.add('approval_rule', { name: 'all', decide: ({ args }) => ({ verdict: args.command === 'touch y' ? 'deny' : 'allow', reason: 'mine' }) });
       ${route('erase', `try { await emitter.call('chat.erase', [{}]); return { done: true }; } catch (fault) { return { fault: fault.message }; }`)}`,
    ),
  );
  expect((await get(server, 'erase')).fault).toContain("takes part in 'chat.erase'; name it in capabilities.hooks");
  expect(await runTool(server, 'run_command', { command: 'touch y' })).toMatchObject({ ok: false, output: expect.stringContaining('mine') });
  const { body } = await server.call('POST', '/api/message', { text: 'call run_command with {"command":"touch x"}' });
  await expect.poll(async () => JSON.stringify((await get(server, `chats/${body.chatId}/transcript`)).entries)).toContain('approval');
  const { entries } = (await get(server, `chats/${body.chatId}/transcript`)) as { entries: { kind: string; state: string }[] };
  expect(entries.filter(({ kind }) => kind === 'tool').at(-1)).toMatchObject({ state: 'waiting' });
  await server.call('POST', '/api/abort', { chatId: body.chatId });
});
