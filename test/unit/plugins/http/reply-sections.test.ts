// Tests reply sections: plugin fields in the configuration and the status, with their own schema.
import * as Type from 'typebox';
import { expect, test } from 'vitest';
import { startHarness, type Harness } from '../../../helpers/harness.ts';

let harness: Harness;

const fields = Type.Object({ weather: Type.Object({ isSunny: Type.Boolean() }), tide: Type.Optional(Type.String({ description: 'High or low.' })) });
const section = (changes: object = {}): object => ({
  ...{ route: 'GET /api/config', name: 'weather', fields, read: () => ({ weather: { isSunny: true, secret: 'x' }, stray: 1, productName: 'Mine' }) },
  ...changes,
});
const start = async (...sections: readonly object[]): Promise<void> => {
  const modules = sections.map((one, index) => [`plugin-${index}`, { register: (registry: any) => registry.add('reply_section', one) }]);
  harness = await startHarness({ builtins: [], modules: Object.fromEntries(modules) });
};
const read = async (path: string): Promise<any> => (await harness.call('GET', path)).body;

test('a section is filtered by its schema and described in the OpenAPI document', async () => {
  await start(section(), section({ route: 'GET /api/status', read: async () => ({ tide: 'low' }) }));
  const config = await read('/api/config');
  expect(config).toMatchObject({ productName: 'Agent Harness', weather: { isSunny: true }, demoModel: expect.any(Boolean), activeChat: null });
  expect([config.weather, 'stray' in config, config.approvalTimeoutMs]).toEqual([{ isSunny: true }, false, 0]);
  expect(await read('/api/status')).toEqual({ busy: false, clients: 0, activeChatId: null, chats: [], tide: 'low' });
  const { paths } = await read('/api/openapi.json');
  const { properties, required } = paths['/api/config'].get.responses['200'].content['application/json'].schema;
  expect(properties).toMatchObject({ weather: { properties: { isSunny: { type: 'boolean' } } }, tide: { description: 'High or low.' }, productName: {} });
  expect(required).toEqual(expect.arrayContaining(['productName', 'weather', 'demoModel']));
  expect(required).not.toContain('tide');
});

test('a section is removed with its plugin', async () => {
  await start(section());
  expect(await read('/api/config')).toHaveProperty('weather');
  await harness.kernel.control.setDisabled(['plugin-0']);
  expect(await read('/api/config')).not.toHaveProperty('weather');
  expect(JSON.stringify((await read('/api/openapi.json')).paths['/api/config'])).not.toContain('isSunny');
});

test('a failing section is omitted, and the log names its plugin', async () => {
  await start(section({ read: () => Promise.reject(new Error('no sky')) }));
  const config = await read('/api/config');
  expect([config.productName, 'weather' in config]).toEqual(['Agent Harness', false]);
  expect(harness.logs).toContainEqual("warn http: the section 'weather' of plugin 'plugin-0' is left out of GET /api/config: no sky");
});

test('a section that never ends is omitted after its limit', async () => {
  await start(section({ read: () => new Promise(() => undefined) }));
  expect(await read('/api/config')).toMatchObject({ productName: 'Agent Harness' });
  expect(harness.logs).toContainEqual(expect.stringContaining("of plugin 'plugin-0' is left out of GET /api/config: the section took longer than 3000 ms"));
});

test('a stand-in section yields to the real feature in either order and returns when that is removed', async () => {
  const standIn = section({ standsIn: true, fields: Type.Object({ weather: Type.Object({ isSunny: Type.Boolean() }), mood: Type.String() }) });
  const absent = { ...standIn, read: () => ({ weather: { isSunny: false }, mood: 'calm', productName: 'Mine' }) };
  for (const sections of [
    [absent, section()],
    [section(), absent],
  ]) {
    await start(...sections);
    expect(await read('/api/config')).toMatchObject({ weather: { isSunny: true }, mood: 'calm', productName: 'Agent Harness' });
    const { required } = (await read('/api/openapi.json')).paths['/api/config'].get.responses['200'].content['application/json'].schema;
    expect(required.filter((name: string) => name === 'weather')).toHaveLength(1);
    await harness.kernel.control.setDisabled([sections[0] === absent ? 'plugin-1' : 'plugin-0']);
    expect(await read('/api/config')).toMatchObject({ weather: { isSunny: false }, mood: 'calm' });
    if (sections[0] === absent) await harness.close();
  }
});

test.each([
  ['of the route itself', { fields: Type.Object({ productName: Type.String() }) }, "plugin 'settings' already adds the field 'productName' to GET /api/config"],
  ['of another section', { fields: Type.Object({ activeChat: Type.Null() }) }, "plugin 'chats' already adds the field 'activeChat' to GET /api/config"],
  ['that are not an object', { fields: Type.String() }, 'needs fields, as an object schema'],
  ['without a function', { read: undefined }, 'a function read'],
])('a section with fields %s fails its plugin with the reason', async (_, changes, why) => {
  await start(section(changes));
  const row = harness.kernel.control.report().plugins.find(({ name }) => name === 'plugin-0');
  expect(row).toMatchObject({ state: 'failed', reason: expect.stringContaining(why) });
});
