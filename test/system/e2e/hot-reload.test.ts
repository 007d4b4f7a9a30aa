// Tests that a user plugin is added, changed, broken, repaired and removed while the built program runs.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEventStream, runTurn } from '../../helpers/event-stream.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';

let home: string;
let server: ServerProcess;
let folder: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hot-reload-'));
  folder = join(home, 'mine');
});
afterEach(async () => {
  await server.stop();
  await rm(home, { recursive: true, force: true });
});

/** A tool, a route, a setting and a tap, each with the plugin version. */
const plugin = (version: string, setting: string): string => `
export const manifest = { name: 'greet', config: { type: 'object', properties: { tone: { type: 'string', default: '${version}', env: '${setting}', tab: 'advanced' } } } };
export function register(registry, emitter) {
  registry.add('tool', { name: 'greet_${version}', description: 'x', effects: ['read'], input: { type: 'object' }, run: () => 'tool of ${version}' });
  registry.add('route', { key: 'GET /api/greet', summary: 'x', tag: 'greet', schema: {}, handle: () => ({ version: '${version}', tone: registry.config.tone }) });
  emitter.tap('settings.provider', (provider) => ({ ...provider, model: provider.model + ' of ${version}' }));
}`;
const write = (text: string): Promise<void> => writeFile(join(folder, 'greet.mjs'), text, { mode: 0o600 });

const get = async (path: string): Promise<any> => (await server.call('GET', path)).body;
const rowOf = async (): Promise<any> => (await get('/api/plugins')).plugins.find(({ name }: any) => name === 'greet');
const answers = (version: string) => async () => (await get('/api/greet')).version === version;
const toolNames = async (): Promise<string[]> =>
  (await get('/api/tools')).tools.map(({ name }: any) => name).filter((name: string) => name.startsWith('greet_'));
const model = async (): Promise<string> => (await get('/api/settings')).provider.model;
const keys = async (): Promise<string[]> => (await get('/api/settings')).fields.map(({ key }: any) => key).filter((key: string) => key.startsWith('GREET_'));

test('applies an added, changed, broken, repaired and removed plugin without a restart or leftovers', async () => {
  server = await startServerProcess({ home, workspace: home, environment: { AGENT_PLUGIN_DIR: folder, AGENT_PLUGIN_WATCH: '1' } });
  await expect.poll(async () => (await server.call('GET', '/api/config')).status === 200).toBe(true);
  expect(await rowOf()).toBeUndefined();
  const plain = await model();

  await write(plugin('one', 'GREET_ONE'));
  await expect.poll(answers('one')).toBe(true);
  expect([await toolNames(), await keys(), await model()]).toEqual([['greet_one'], ['GREET_ONE'], `${plain} of one`]);
  const { events } = await runTurn(server as never, 'call greet_one with {}');
  expect(events.find(({ kind }) => kind === 'tool_result')).toMatchObject({ ok: true, output: 'tool of one' });

  await write(plugin('two', 'GREET_TWO'));
  await expect.poll(answers('two')).toBe(true);
  expect([await toolNames(), await keys(), await model()]).toEqual([['greet_two'], ['GREET_TWO'], `${plain} of two`]);

  const stream = await openEventStream(server, { chatId: 'all' });
  await write('export function register( {');
  expect(await stream.until('error')).toMatchObject({ source: 'plugin', plugin: 'greet', code: 'KRN_ERR_PLUGIN_STALE' });
  stream.close();
  expect(await rowOf()).toMatchObject({ state: 'active', warnings: [expect.stringContaining('still runs the version from before its file changed')] });
  expect([await answers('two')(), await toolNames(), await keys()]).toEqual([true, ['greet_two'], ['GREET_TWO']]);

  await write(plugin('three', 'GREET_THREE'));
  await expect.poll(answers('three')).toBe(true);
  expect((await rowOf()).warnings).toBeUndefined();
  expect([await toolNames(), await keys(), await model()]).toEqual([['greet_three'], ['GREET_THREE'], `${plain} of three`]);

  await rm(join(folder, 'greet.mjs'));
  await expect.poll(async () => (await server.call('GET', '/api/greet')).status === 404).toBe(true);
  expect([await rowOf(), await toolNames(), await keys(), await model()]).toEqual([undefined, [], [], plain]);

  await mkdir(join(folder, 'nested'), { mode: 0o700 });
  await writeFile(join(folder, 'nested', 'index.mjs'), 'export function register() {}', { mode: 0o600 });
  await expect.poll(async () => (await get('/api/plugins')).plugins.some(({ name, state }: any) => name === 'nested' && state === 'active')).toBe(true);
});

test('watches plugins with app dev and applies a change after the running turn', async () => {
  await mkdir(folder, { mode: 0o700 });
  await write(plugin('one', 'GREET_ONE'));
  server = await startServerProcess({ home, workspace: home, environment: { AGENT_PLUGIN_DIR: folder }, command: 'dev' });
  expect(server.output()).toContain(`Plugins in ${folder} run as soon as they are saved.`);
  await expect.poll(answers('one')).toBe(true);
  const stream = await openEventStream(server, { chatId: 'all' });
  await server.call('POST', '/api/message', { text: 'call run_command with {"command": "touch here"}' });
  await stream.until('tool_approval');
  await write(plugin('two', 'GREET_TWO'));
  await stream.until('settings_pending');
  expect(await answers('one')()).toBe(true);
  await server.call('POST', '/api/session/abort', {});
  await expect.poll(answers('two')).toBe(true);
  stream.close();
});
