import { expect, test } from 'vitest';
import { createWorld, fakeTool, type World } from './fake-world.ts';

let world: World;

const plugin = (add: (registry: any) => void): any => ({ register: (registry: any) => add(registry) });
const reasonOf = (name: string): string => world.report.plugins.find((one) => one.name === name)?.reason ?? '';

test('an invalid tool fails its plugin with a reason', async () => {
  const bad: Record<string, any> = {
    'bad-name': fakeTool('Read-File'),
    'bad-length': fakeTool('a'.repeat(65)),
    'bad-text': fakeTool('a', { description: ' ' }),
    'bad-input': fakeTool('a', { input: { type: 'string' } }),
    'bad-effect': fakeTool('a', { effects: ['delete' as never] }),
    'bad-time': fakeTool('a', { timeoutMs: -1 }),
    'bad-family': fakeTool('a', { family: 'A b' }),
    'no-code': { ...fakeTool('a'), run: undefined },
    'two-codes': { ...fakeTool('a'), load: async () => () => '' },
  };
  world = await createWorld({
    modules: Object.fromEntries(Object.entries(bad).map(([name, tool]) => [name, plugin((registry) => registry.add('tool', tool))])),
  });
  for (const name of Object.keys(bad)) expect(reasonOf(name), name).toMatch(/cannot add to 'tool': .+\./);
  expect(world.kernel.resolve('tools').list()).toEqual([]);
});

test('rejects a duplicate tool name and names both owners', async () => {
  world = await createWorld({ tools: [fakeTool('twice')], modules: { other: plugin((registry) => registry.add('tool', fakeTool('twice'))) } });
  expect(reasonOf('other')).toMatch(/tool 'twice' is already contributed by plugin 'kit'; .*'other'/);
});

test('a family is validated and rolled back as a unit', async () => {
  const family = (name: string, names: string[]): any => ({ name, description: 'F.', tools: names.map((one) => fakeTool(one)), load: async () => ({}) });
  world = await createWorld({
    modules: {
      'a-one': plugin((registry) => registry.add('tool_family', family('shared', ['a', 'b']))),
      same: plugin((registry) => registry.add('tool_family', family('shared', ['c']))),
      clash: plugin((registry) => registry.add('tool_family', family('clash', ['d', 'a']))),
      doubled: plugin((registry) => registry.add('tool_family', family('doubled', ['e', 'e']))),
      empty: plugin((registry) => registry.add('tool_family', family('empty', []))),
      unloaded: plugin((registry) => registry.add('tool_family', { ...family('unloaded', ['f']), load: undefined })),
      nameless: plugin((registry) => registry.add('tool_family', family('No Name', ['g']))),
    },
  });
  expect(reasonOf('same')).toContain("already contributed by plugin 'a-one'");
  expect(reasonOf('clash')).toContain("tool 'a' is already contributed by plugin 'a-one'");
  expect(reasonOf('doubled')).toContain("lists 'e' twice");
  for (const name of ['empty', 'unloaded', 'nameless']) expect(reasonOf(name)).toContain('tool family');
  expect(
    world.kernel
      .resolve('tools')
      .list()
      .map((row) => row.name),
  ).toEqual(['a', 'b']);
  await world.kernel.control.setDisabled(['a-one']);
  expect(
    world.kernel
      .resolve('tools')
      .list()
      .map((row) => row.plugin),
  ).not.toContain('a-one');
});

test('GET /api/tools lists every tool for the active or given chat and rejects invalid chat ids', async () => {
  world = await createWorld({ tools: [fakeTool('late', { family: 'more' }), fakeTool('always', { isEveryday: true })] });
  world.kernel.resolve('tools').reveal(world.chatId, 'more');
  const { tools } = await world.call('GET /api/tools');
  expect(tools).toEqual([
    { name: 'always', family: 'kit', plugin: 'kit', description: 'Does always.', effects: ['read'], visible: true },
    { name: 'late', family: 'more', plugin: 'kit', description: 'Does late.', effects: ['read'], visible: true },
  ]);
  const other = await world.call('GET /api/tools', { query: { chatId: world.kernel.resolve('storage').createId('chat') } });
  expect(other.tools[1].visible).toBe(false);
  await expect(world.call('GET /api/tools', { query: { chatId: '../x' } })).rejects.toMatchObject({ code: 'CHATS_ERR_NOT_FOUND' });
});
