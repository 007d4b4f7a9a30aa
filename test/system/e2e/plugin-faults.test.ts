// A person's plugins that fail where nobody could catch it, in the built program.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEventStream, runTurn } from '../../helpers/event-stream.ts';
import { createProgram, type Ended } from '../../helpers/cli-program.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';

let home: string;
let folder: string;
let server: ServerProcess | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugin-faults-'));
  folder = join(home, 'plugins');
  await mkdir(folder, { mode: 0o700 });
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  await rm(home, { recursive: true, force: true });
});

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text, { mode: 0o600 });

async function start(): Promise<ServerProcess> {
  server = await startServerProcess({ home, workspace: home });
  await ready(server);
  return server;
}

/** The configuration waits until the person's plugins are loaded. */
async function ready({ call }: ServerProcess): Promise<void> {
  while ((await call('GET', '/api/config')).status === 503);
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

async function rowOf(name: string): Promise<any> {
  return (await server?.call('GET', '/api/plugins'))?.body.plugins.find((row: any) => row.name === name);
}

/** A tool whose code fails after it has answered. */
const bomb = (body: string): string => `
import { connect } from 'node:net';
import { EventEmitter } from 'node:events';
export function register(registry, emitter) {
  registry.add('tool', {
    name: 'set_off', description: 'Sets it off.', effects: ['read'], input: { type: 'object', properties: {} },
    run() { ${body}; return 'lit'; },
  });
}`;

test.each([
  ['a throw in a timer', `setTimeout(() => { throw new Error('boom') }, 1)`, /threw outside of any call.*: boom/],
  ['a throw that is no error, without a stack', `setTimeout(() => { throw 'boom' }, 1)`, /threw outside of any call.*: boom/],
  ['a rejection that nobody waits for', `Promise.reject('boom')`, /left a promise rejected.*: boom/],
  ['an error event that nobody hears', `setImmediate(() => new EventEmitter().emit('error', new Error('boom')))`, /threw outside of any call.*: boom/],
  ['a socket that nobody listens to', `connect(1, '127.0.0.1')`, /threw outside of any call.*: connect ECONNREFUSED/],
])('%s is contained, told by name, and keeps the plugin off at the next start until it is switched on', async (_, body, what) => {
  await write('bomb.mjs', bomb(body));
  let { pid, call } = await start();
  const stream = await openEventStream(server as never, { chatId: 'all' });
  const { events } = await runTurn(server as never, 'call set_off with {}');
  expect(events.find(({ kind }) => kind === 'tool_result')).toMatchObject({ name: 'set_off', ok: true });
  const error = await stream.until('error');
  stream.close();
  expect(error).toMatchObject({ source: 'plugin', plugin: 'bomb', code: 'KRN_ERR_PLUGIN_FAULT', message: expect.stringMatching(what) });
  expect(await rowOf('bomb')).toMatchObject({ state: 'active' });
  expect(await server?.stop()).toBe(0);

  ({ pid, call } = await start());
  expect(pid).toBeGreaterThan(0);
  expect(await rowOf('bomb')).toMatchObject({ state: 'disabled', reason: expect.stringMatching(what) });
  expect((await call('PUT', '/api/plugins/bomb', { disabled: false })).body).toMatchObject({ plugin: { state: 'active' } });
  await server?.stop();
  await start();
  expect(await rowOf('bomb')).toMatchObject({ state: 'active' });
});

test('a listener that rejects lets the turn end; the next start is without the plugin', async () => {
  await write('sulks.mjs', `export function register(_, emitter) { emitter.on('turn_start', async () => { throw new Error('no') }); }`);
  await start();
  const { events } = await runTurn(server as never, 'hello');
  expect(events.at(-1)).toMatchObject({ kind: 'turn_end', reason: 'done' });
  await server?.stop();
  await start();
  expect(await rowOf('sulks')).toMatchObject({ state: 'disabled', reason: expect.stringContaining("a listener of 'turn_start' that was rejected: no") });
  expect((await runTurn(server as never, 'hello')).events.at(-1)).toMatchObject({ kind: 'turn_end', reason: 'done' });
});

test('a tap that hangs is named; the turn is left when it is stopped, and the server runs on', async () => {
  await write('hangs.mjs', `export function register(_, emitter) { emitter.tap('turn.before', () => new Promise(() => {})); }`);
  const { call, output } = await start();
  const stream = await openEventStream(server as never, { chatId: 'all' });
  await call('POST', '/api/message', { text: 'hello' });
  await stream.until('turn_start');
  const taps = async (): Promise<any> => (await rowOf('hangs')).runningTaps;
  while ((await taps()) === undefined);
  expect(await taps()).toEqual([{ hook: 'turn.before', ms: expect.any(Number), isLeft: false }]);
  await call('POST', '/api/session/abort', {});
  expect(await stream.until('turn_end')).toMatchObject({ reason: 'aborted' });
  stream.close();
  expect(await taps()).toEqual([{ hook: 'turn.before', ms: expect.any(Number), isLeft: true }]);
  expect(output()).toContain("Plugin 'hangs' went on in hook 'turn.before' after it was told to stop, and was left behind.");
  await call('PUT', '/api/plugins/hangs', { disabled: true });
  expect((await runTurn(server as never, 'hello')).events.at(-1)).toMatchObject({ kind: 'turn_end', reason: 'done' });
});

test('a tap that is over the limit of its hook, and a job that throws, are told by name; the reply comes without', async () => {
  await write(
    'slow.mjs',
    `export function register(registry, emitter) {
    emitter.tap('settings.provider', () => new Promise(() => {}));
    registry.add('job', { name: 'sulk', when: { everyMs: 3_600_000 }, run: async () => { throw new Error('no job') } });
  }`,
  );
  server = await startServerProcess({ home, workspace: home });
  const stream = await openEventStream(server, { chatId: 'all' });
  expect(await stream.until('error')).toMatchObject({ plugin: 'slow', code: 'SCHEDULE_ERR_JOB_FAILED', message: expect.stringContaining('no job') });
  expect(await server.call('GET', '/api/settings')).toMatchObject({ status: 200, body: { provider: { model: expect.any(String) } } });
  const { errors } = (await server.call('GET', '/api/plugins')).body;
  expect(errors.map(({ plugin, code }: any) => [plugin, code]).sort()).toEqual([
    ['slow', 'KRN_ERR_HOOK_TIMEOUT'],
    ['slow', 'SCHEDULE_ERR_JOB_FAILED'],
  ]);
  stream.close();
});

test('a plugin that ends the whole program is off at the next start', async () => {
  await write('quits.mjs', bomb(`process.exit(7)`));
  const { call, stop } = await start();
  await call('POST', '/api/message', { text: 'call set_off with {}' });
  expect(await stop('SIGCONT')).toBe(7);
  await start();
  expect(await rowOf('quits')).toMatchObject({ state: 'disabled', reason: expect.stringContaining('ended the whole program') });
});

test('one that gives every object a property fails by name, and the others load', async () => {
  // Apart from the server they would have prototypes of their own.
  const here = (name: string): string => `export const manifest = { name: '${name}', isolation: 'process' };`;
  await write('pollutes.mjs', `${here('pollutes')} Object.prototype.extra = 1; export function register() {}`);
  await write('also.mjs', `${here('also')} export function register(registry) { Array.prototype.more = 1; }`);
  await write('fine.mjs', `export function register() {}`);
  await start();
  expect(await rowOf('pollutes')).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining("gave every object a property 'extra' (prototype pollution)"),
  });
  expect(await rowOf('also')).toMatchObject({ state: 'failed', reason: expect.stringContaining("'more'") });
  expect(await rowOf('fine')).toMatchObject({ state: 'active' });
  expect((await runTurn(server as never, 'hello')).events.at(-1)).toMatchObject({ kind: 'turn_end', reason: 'done' });
});

test('one that computes for seconds in one go is told by name', async () => {
  await write(
    'dawdles.mjs',
    `export function register(_, emitter) { emitter.tap('turn.before', () => { const end = Date.now() + 1500; while (Date.now() < end); }); }`,
  );
  await start();
  const stream = await openEventStream(server as never, { chatId: 'all' });
  await runTurn(server as never, 'hello');
  expect(await stream.until('error')).toMatchObject({ plugin: 'dawdles', message: expect.stringMatching(/kept everybody waiting for \d\.\d s/) });
  stream.close();
});

test('the row of a file that does not parse names file and line', async () => {
  await write('typo.mjs', `export function register() {\n  const x = ;\n}\n`);
  await write('typo-two.js', `export function register() {\n\n  return ];\n}\n`);
  await start();
  expect(await rowOf('typo')).toMatchObject({ state: 'failed', reason: expect.stringContaining(`(${join(folder, 'typo.mjs')}:2)`) });
  expect((await rowOf('typo-two')).reason).toContain(`${join(folder, 'typo-two.js')}:3`);
});

test('a name that nobody takes is a warning on the row, with the nearest one', async () => {
  await write('misspelt.mjs', `export function register(registry) { registry.add('tol', { name: 'x' }); }`);
  await start();
  const warning = "Plugin 'misspelt' adds to 'tol', which nobody owns; did you mean 'tool'?";
  expect(await rowOf('misspelt')).toMatchObject({ state: 'active', warnings: [warning] });
  const { stdout } = await cli(['plugins']);
  expect(stdout).toContain(warning);
});

test('a reload starts new plugins, starts changed ones anew and lets go of deleted ones, without a restart', async () => {
  const tool = (name: string, text: string): string =>
    `export function register(registry) { registry.add('tool', { name: 'say_${name}', description: 'x', effects: ['read'], input: { type: 'object' }, run: () => '${text}' }); }`;
  await write('changed.mjs', tool('changed', 'before'));
  await write('deleted.mjs', tool('deleted', 'here'));
  await write('common.js', tool('common', 'before').replace('export function', 'exports.register = function'));
  await write('package.json', '{}');
  const { call } = await start();
  const answerOf = async (name: string): Promise<unknown> =>
    (await runTurn(server as never, `call say_${name} with {}`)).events.find(({ kind }) => kind === 'tool_result')?.['output'];
  expect([await answerOf('changed'), await answerOf('deleted'), await answerOf('common')]).toEqual(['before', 'here', 'before']);

  await write('changed.mjs', tool('changed', 'after'));
  await write('common.js', tool('common', 'after').replace('export function', 'exports.register = function'));
  await write('added.mjs', tool('added', 'new'));
  await write('broken.mjs', `export function register() {\n  const x = ;\n}`);
  await rm(join(folder, 'deleted.mjs'));
  const { body } = await call('POST', '/api/plugins/reload', {});
  expect(body.plugins.map(({ name, state }: any) => [name, state]).sort()).toEqual([
    ['added', 'active'],
    ['broken', 'failed'],
    ['changed', 'active'],
    ['common', 'active'],
  ]);
  expect([await answerOf('changed'), await answerOf('added'), await answerOf('common')]).toEqual(['after', 'new', 'after']);
  expect(await rowOf('deleted')).toBeUndefined();
  expect((await call('GET', '/api/tools')).body.tools.map(({ name }: any) => name)).not.toContain('say_deleted');
  await rm(join(folder, 'added.mjs'));
  const { code, stdout } = await cli(['plugins', 'reload']);
  expect([code, stdout]).toEqual([0, expect.not.stringContaining('added')]);
});

test('preferences that switch the policy off do not: a call that asks still asks', async () => {
  await writeFile(join(home, '.agent_runtime_prefs.json'), JSON.stringify({ plugins: { disabled: ['policy'] } }));
  const { call } = await start();
  expect(await rowOf('policy')).toMatchObject({ state: 'active', warnings: [expect.stringContaining('cannot be switched off')] });
  const stream = await openEventStream(server as never, { chatId: 'all' });
  await call('POST', '/api/message', { text: 'call run_command with {"command": "touch here"}' });
  expect(await stream.until('tool_approval')).toMatchObject({ name: 'run_command' });
  stream.close();
  await call('POST', '/api/session/abort', {});
});
