// Tests panels over HTTP: the list, the scripts, and their removal with the plugin.
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Harness, startHarness, useFolderForAll } from '../../../helpers/in-process.ts';
import { rawRequest } from '../../../helpers/raw-request.ts';

let harness: Harness;
const script = 'export function mount(element) { element.textContent = "hi"; }\n';

const folder = useFolderForAll('panels-');
beforeAll(async () => {
  await writeFile(join(folder, 'clock.js'), script);
  await writeFile(join(folder, 'secret.js'), 'export const secret = 1;');
  const module = join(folder, 'clock.js');
  harness = await startHarness({
    builtins: ['model-demo'],
    modules: {
      clock: {
        register(registry) {
          registry.add('ui.panel', {
            id: 'clock',
            title: 'Clock',
            slot: 'panel',
            icon: '🕐',
            place: 'chat',
            order: 35,
            module,
            uses: { routes: ['GET /api/status'], events: ['turn_end'] },
          });
          registry.add('ui.panel', { id: 'clock-result', title: 'Time', slot: 'tool_result', tools: ['tell_time'], module: pathToFileURL(module).href });
        },
      },
      gone: { register: (registry) => void registry.add('ui.panel', { id: 'gone', title: 'Gone', slot: 'settings', module: join(folder, 'gone.mjs') }) },
    },
  });
});
afterAll(async () => {
  await harness.close();
});

const list = async (): Promise<any[]> => (await harness.call('GET', '/api/ui/panels')).body.panels;
const urlOf = async (id: string): Promise<string> => (await list()).find((panel) => panel.id === id).url;
const fetchModule = (url: string) => rawRequest(harness.url, 'GET', url);

test('the list contains each panel with plugin and URL and requires the token', async () => {
  expect(await list()).toEqual([
    {
      id: 'clock',
      title: 'Clock',
      slot: 'panel',
      icon: '🕐',
      place: 'chat',
      order: 35,
      uses: { routes: ['GET /api/status'], events: ['turn_end'] },
      plugin: 'clock',
      url: expect.stringMatching(/^\/api\/ui\/modules\/clock-[0-9a-f]{32}\.js\?v=\w+$/),
    },
    {
      id: 'clock-result',
      title: 'Time',
      slot: 'tool_result',
      tools: ['tell_time'],
      plugin: 'clock',
      url: expect.stringContaining('/api/ui/modules/clock-result-'),
    },
    { id: 'gone', title: 'Gone', slot: 'settings', plugin: 'gone', url: expect.any(String) },
  ]);
  expect((await rawRequest(harness.url, 'GET', '/api/ui/panels')).status).toBe(401);
});

test('a module is served as a script at its listed URL without a token header', async () => {
  for (const id of ['clock', 'clock-result']) {
    const reply = await fetchModule(await urlOf(id));
    expect([reply.status, reply.text]).toEqual([200, script]);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
  }
});

test('a wrong key, the key of another panel and any other name return 404', async () => {
  const url = await urlOf('clock');
  const other = (await urlOf('gone')).replace('/gone-', '/clock-');
  const flipped = url.replace(/([0-9a-f])\.js/, (_, last: string) => `${last === '0' ? '1' : '0'}.js`);
  for (const path of [
    other,
    flipped,
    url.replace(/-[0-9a-f]{32}/, ''),
    url.replace(/[0-9a-f]{32}/, '%C3%A9'.repeat(16)),
    url.replace('clock-', 'secret-'),
    url.replace('clock-', '..%2Fclock-'),
    '/api/ui/modules/__proto__.js',
    `/api/ui/modules/constructor-${'0'.repeat(32)}.js`,
    '/api/ui/modules/..%2Fsecret.js',
  ]) {
    const reply = await fetchModule(path);
    expect([reply.status, reply.body?.error.code], path).toEqual([404, 'not_found']);
    expect(reply.text).not.toMatch(/secret = 1|mount/);
  }
});

test('a changed module gets a new URL with the new text', async () => {
  const before = await urlOf('clock');
  await writeFile(join(folder, 'clock.js'), `${script}// changed\n`);
  await utimes(join(folder, 'clock.js'), new Date(), new Date(Date.now() + 5_000));
  const after = await urlOf('clock');
  expect(after).not.toBe(before);
  expect((await fetchModule(after)).text).toContain('// changed');
  await writeFile(join(folder, 'clock.js'), script);
});

test('an unreadable module names its plugin but not its path', async () => {
  const reply = await fetchModule(await urlOf('gone'));
  expect([reply.status, reply.body?.error]).toEqual([409, expect.objectContaining({ code: 'module_unreadable' })]);
  expect(reply.body?.error.message).toBe("The module of the panel 'gone' of the plugin 'gone' could not be read (ENOENT).");
  expect(reply.text).not.toContain(folder);
});

test('disabling a plugin removes its panels, and enabling it gives them new URLs', async () => {
  const before = await urlOf('clock');
  await harness.call('PUT', '/api/plugins/clock', { disabled: true });
  expect((await list()).map((panel) => panel.id)).toEqual(['gone']);
  expect((await fetchModule(before)).status).toBe(404);
  await harness.call('PUT', '/api/plugins/clock', { disabled: false });
  const after = await urlOf('clock');
  expect(after).not.toBe(before);
  expect([(await fetchModule(before)).status, (await fetchModule(after)).status]).toEqual([404, 200]);
});
