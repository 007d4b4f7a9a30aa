// Tests user plugins whose failures no caller can catch, in one home folder of the built program.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine } from '../../helpers/command-line.ts';
import { openEventStream, runTurn } from '../../helpers/event-stream.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';

let home: string;
let folder: string;
let server: ServerProcess;
const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text, { mode: 0o600 });
const start = async (): Promise<void> => {
  server = await startServerProcess({ home, workspace: home });
  // The configuration waits until user plugins are loaded.
  while ((await server.call('GET', '/api/config')).status === 503);
};
const restart = async (): Promise<void> => {
  expect(await server.stop()).toBe(0);
  await start();
};
const reload = async (): Promise<any> => (await server.call('POST', '/api/plugins/reload', {})).body;
const rowOf = async (name: string): Promise<any> => (await server.call('GET', '/api/plugins')).body.plugins.find((row: any) => row.name === name);
const turn = (text: string): ReturnType<typeof runTurn> => runTurn(server as never, text);
const cli = async (...argv: string[]): Promise<string> =>
  (await (await createCommandLine({ builtins: ['cli'], folders: { home, workspace: home } })).run(argv)).stdout;

/** Plugin with a tool `set_off_<name>` whose code fails after the tool has returned. */
const bomb = (name: string, body: string): string => `
import { connect } from 'node:net';
import { EventEmitter } from 'node:events';
export function register(registry, emitter) {
  registry.add('tool', {
    name: 'set_off_${name}', description: 'Sets it off.', effects: ['read'], input: { type: 'object', properties: {} },
    run() { ${body}; return 'lit'; },
  });
}`;
const tool = (name: string, text: string): string =>
  `export function register(registry) { registry.add('tool', { name: 'say_${name}', description: 'x', effects: ['read'], input: { type: 'object' }, run: () => '${text}' }); }`;
const asCommonJs = (code: string): string => code.replace('export function', 'exports.register = function');

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugin-faults-'));
  folder = join(home, 'plugins');
  await mkdir(folder, { mode: 0o700 });
  await writeFile(join(home, '.agent_runtime_prefs.json'), JSON.stringify({ plugins: { disabled: ['policy'] } }));
  await write('typo.mjs', `export function register() {\n  const x = ;\n}\n`);
  await write('typo-two.js', `export function register() {\n\n  return ];\n}\n`);

  // Other processes have their own prototypes.
  const here = (name: string): string => `export const manifest = { name: '${name}', isolation: 'process' };`;
  await write('pollutes.mjs', `${here('pollutes')} Object.prototype.extra = 1; export function register() {}`);
  await write('also.mjs', `${here('also')} export function register(registry) { Array.prototype.more = 1; }`);
  await write('fine.mjs', `export function register() {}`);
  await write('changed.mjs', tool('changed', 'before'));
  await write('deleted.mjs', tool('deleted', 'here'));
  await write('common.js', asCommonJs(tool('common', 'before')));
  await write('package.json', '{}');
  await start();
});
afterAll(async () => {
  await server.stop();
  await rm(home, { recursive: true, force: true });
});

test('fails a plugin that modifies a shared prototype and loads the others', async () => {
  expect(await rowOf('pollutes')).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining("added a property 'extra' to every object (prototype pollution)"),
  });
  expect(await rowOf('also')).toMatchObject({ state: 'failed', reason: expect.stringContaining("'more'") });
  expect(await rowOf('fine')).toMatchObject({ state: 'active' });
  expect((await turn('hello')).events.at(-1)).toMatchObject({ kind: 'turn_end', reason: 'done' });
});

test('reports the file and line of a syntax error', async () => {
  expect(await rowOf('typo')).toMatchObject({ state: 'failed', reason: expect.stringContaining(`(${join(folder, 'typo.mjs')}:2)`) });
  expect((await rowOf('typo-two')).reason).toContain(`${join(folder, 'typo-two.js')}:3`);
});

test('ignores preferences that disable the policy', async () => {
  expect(await rowOf('policy')).toMatchObject({ state: 'active', warnings: [expect.stringContaining('cannot be switched off')] });
  const stream = await openEventStream(server, { chatId: 'all' });
  await server.call('POST', '/api/message', { text: 'call run_command with {"command": "touch here"}' });
  expect(await stream.until('tool_approval')).toMatchObject({ name: 'run_command' });
  await server.call('POST', '/api/session/abort', {});
  stream.close();
});

test('starts new plugins, restarts changed ones and unloads deleted ones on reload', async () => {
  const answerOf = async (name: string): Promise<unknown> =>
    (await turn(`call say_${name} with {}`)).events.find(({ kind }) => kind === 'tool_result')?.['output'];
  expect([await answerOf('changed'), await answerOf('deleted'), await answerOf('common')]).toEqual(['before', 'here', 'before']);

  await write('changed.mjs', tool('changed', 'after'));
  await write('common.js', asCommonJs(tool('common', 'after')));
  await write('added.mjs', tool('added', 'new'));
  await write('broken.mjs', `export function register() {\n  const x = ;\n}`);
  for (const name of ['deleted.mjs', 'typo.mjs', 'typo-two.js', 'pollutes.mjs', 'also.mjs']) await rm(join(folder, name));
  expect((await reload()).plugins.map(({ name, state }: any) => [name, state]).sort()).toEqual([
    ['added', 'active'],
    ['broken', 'failed'],
    ['changed', 'active'],
    ['common', 'active'],
    ['fine', 'active'],
  ]);
  expect([await answerOf('changed'), await answerOf('added'), await answerOf('common')]).toEqual(['after', 'new', 'after']);
  expect(await rowOf('deleted')).toBeUndefined();
  expect((await server.call('GET', '/api/tools')).body.tools.map(({ name }: any) => name)).not.toContain('say_deleted');
  await rm(join(folder, 'added.mjs'));
  expect(await cli('plugins', 'reload')).not.toContain('added');
});

test('reports a tap timeout and a failing job by plugin and answers without them', async () => {
  const stream = await openEventStream(server, { chatId: 'all' });
  await write(
    'slow.mjs',
    `export function register(registry, emitter) {
    emitter.tap('settings.provider', () => new Promise(() => {}));
    registry.add('job', { name: 'sulk', when: { everyMs: 3_600_000 }, run: async () => { throw new Error('no job') } });
  }`,
  );
  await reload();
  const isOfJob = (event: any): boolean => event.kind === 'error' && event.code === 'SCHEDULE_ERR_JOB_FAILED';
  expect(await stream.until(isOfJob)).toMatchObject({ plugin: 'slow', message: expect.stringContaining('no job') });
  expect(await server.call('GET', '/api/settings')).toMatchObject({ status: 200, body: { provider: { model: expect.any(String) } } });
  const { errors } = (await server.call('GET', '/api/plugins')).body;
  expect(errors.flatMap(({ plugin, code }: any) => (plugin === 'slow' ? [code] : [])).sort()).toEqual(['KRN_ERR_HOOK_TIMEOUT', 'SCHEDULE_ERR_JOB_FAILED']);
  await rm(join(folder, 'slow.mjs'));
  stream.close();
});

test('reports a plugin that blocks the event loop for seconds', async () => {
  await write(
    'dawdles.mjs',
    `export function register(_, emitter) { emitter.tap('turn.before', () => { const end = Date.now() + 1500; while (Date.now() < end); }); }`,
  );
  await reload();
  const stream = await openEventStream(server, { chatId: 'all' });
  await turn('hello');
  const isOfPlugin = (event: any): boolean => event.kind === 'error' && event.plugin === 'dawdles';
  expect(await stream.until(isOfPlugin)).toMatchObject({ message: expect.stringMatching(/blocked the server for \d\.\d s/) });
  stream.close();
  await rm(join(folder, 'dawdles.mjs'));
});

test('contains and reports uncaught failures, and disables each plugin from the next start until it is enabled', async () => {
  const bombs: Readonly<Record<string, readonly [body: string, what: RegExp]>> = {
    timer: [`setTimeout(() => { throw new Error('boom') }, 1)`, /threw outside of any call.*: boom/],
    string: [`setTimeout(() => { throw 'boom' }, 1)`, /threw outside of any call.*: boom/],
    rejection: [`Promise.reject('boom')`, /left a rejected promise unhandled.*: boom/],
    emitter: [`setImmediate(() => new EventEmitter().emit('error', new Error('boom')))`, /threw outside of any call.*: boom/],
    socket: [`connect(1, '127.0.0.1')`, /threw outside of any call.*: connect ECONNREFUSED/],
  };
  for (const [name, [body]] of Object.entries(bombs)) await write(`bomb-${name}.mjs`, bomb(name, body));
  await write('sulks.mjs', `export function register(_, emitter) { emitter.on('turn_start', async () => { throw new Error('no') }); }`);
  await reload();
  const stream = await openEventStream(server, { chatId: 'all' });
  for (const [name, [, what]] of Object.entries(bombs)) {
    const { events } = await turn(`call set_off_${name} with {}`);
    expect(events.find(({ kind }) => kind === 'tool_result')).toMatchObject({ name: `set_off_${name}`, ok: true });
    expect(events.at(-1)).toMatchObject({ kind: 'turn_end', reason: 'done' });
    const error = await stream.until((event) => event.kind === 'error' && event['plugin'] === `bomb-${name}`);
    expect(error).toMatchObject({ source: 'plugin', code: 'KRN_ERR_PLUGIN_FAULT', message: expect.stringMatching(what) });
    expect(await rowOf(`bomb-${name}`)).toMatchObject({ state: 'active' });
  }
  stream.close();
  await restart();
  const off: Record<string, RegExp> = { sulks: /for the event 'turn_start' rejected: no/ };
  for (const [name, [, what]] of Object.entries(bombs)) off[`bomb-${name}`] = what;
  for (const [name, what] of Object.entries(off)) expect(await rowOf(name)).toMatchObject({ state: 'disabled', reason: expect.stringMatching(what) });
  expect((await turn('hello')).events.at(-1)).toMatchObject({ kind: 'turn_end', reason: 'done' });
  for (const name of Object.keys(off))
    expect((await server.call('PUT', `/api/plugins/${name}`, { disabled: false })).body).toMatchObject({ plugin: { state: 'active' } });
  await restart();
  for (const name of Object.keys(off)) expect(await rowOf(name)).toMatchObject({ state: 'active' });
});

test('disables a plugin that ended the process at the next start', async () => {
  await write('quits.mjs', bomb('quits', `process.exit(7)`));
  await reload();
  await server.call('POST', '/api/message', { text: 'call set_off_quits with {}' });
  expect(await server.stop('SIGCONT')).toBe(7);
  await start();
  expect(await rowOf('quits')).toMatchObject({ state: 'disabled', reason: expect.stringContaining('ended the whole program') });
});
