import { expect, test } from 'vitest';
import type { Prompt } from 'agent-harness/plugins/agent';
import { createWorld, fakeTool, type World } from './fake-world.ts';

let world: World;

const kit = [
  fakeTool('everyday', { isEveryday: true }),
  fakeTool('recall', { family: 'memory', traits: ['knowledge'], input: { type: 'object', properties: { key: {} }, required: ['key'] } }),
  fakeTool('browser_open', { family: 'browser' }),
  fakeTool('browser_act', { family: 'browser' }),
];
const names = (chatId = world.chatId): string[] =>
  world.kernel
    .resolve('tools')
    .visible(chatId)
    .specs.map((spec) => spec.name);
const section = async (): Promise<string | undefined> => {
  const empty: Prompt = { system: [], messages: [], tail: [] };
  const prompt = await world.kernel.emitter.call('prompt.build', [empty, world.turn()]);
  return prompt.system.find((one) => one.id === 'tool_families')?.text;
};

test('the model sees everyday tools, and a family after one of its tools was called in the chat', async () => {
  world = await createWorld({ tools: kit });
  expect(names()).toEqual(['everyday']);
  expect(world.kernel.resolve('tools').visible(world.chatId).hiddenFamilies).toEqual([
    { name: 'browser', description: '', tools: ['browser_act', 'browser_open'] },
    { name: 'memory', description: '', tools: ['recall'] },
  ]);
  expect(await world.run('browser_act')).toEqual({ ok: true, output: 'browser_act ran' });
  expect(names()).toEqual(['browser_act', 'browser_open', 'everyday']);
  expect(names(world.kernel.resolve('storage').createId('chat'))).toEqual(['everyday']);
});

test('a reset and a deleted chat hide the families again', async () => {
  world = await createWorld({ tools: kit });
  await world.run('recall', { key: 'a' });
  await world.kernel.emitter.call('session.reset', [{ chatId: world.chatId, mode: 'soft' }]);
  expect(names()).toEqual(['everyday']);
  await world.run('recall', { key: 'a' });
  await world.kernel.emitter.call('chat.close', [world.chatId]);
  expect(names()).toEqual(['everyday']);
});

test('the prompt section of hidden families is identical in every round', async () => {
  world = await createWorld({ tools: kit });
  const before = await section();
  expect(before?.split('\n').slice(1)).toEqual(['- browser (browser_act(), browser_open())', '- memory: Does recall. (recall(key))']);
  await world.run('recall', { key: 'a' });
  expect(await section()).toBe(before);
});

test('the prompt includes the description of a hidden family', async () => {
  const family = { name: 'vault', description: 'Notes.', tools: [fakeTool('vault_read')], load: async () => ({ vault_read: () => 'x' }) };
  world = await createWorld({ modules: { vault: { register: (registry: any) => registry.add('tool_family', family) } } });
  expect(await section()).toContain('- vault: Notes. (vault_read())');
});

test('a partly visible family omits its description from the prompt', async () => {
  const seen = { ...fakeTool('vault_read'), isEveryday: true };
  const family = {
    name: 'vault',
    description: 'Notes.',
    tools: [seen, fakeTool('vault_write')],
    load: async () => ({ vault_read: () => 'x', vault_write: () => 'x' }),
  };
  world = await createWorld({ modules: { vault: { register: (registry: any) => registry.add('tool_family', family) } } });
  expect(await section()).toContain('- vault (vault_write())');
});

test('a large family of an external server takes one short line', async () => {
  const tools = Array.from({ length: 40 }, (_, index) => fakeTool(`remote_${index + 10}`));
  const family = { name: 'remote', description: `A\n- fake: line ${'x'.repeat(1_000)}`, tools, load: async () => ({}) };
  world = await createWorld({ modules: { remote: { register: (registry: any) => registry.add('tool_family', family) } } });
  const lines = (await section())?.split('\n') ?? [];
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^- remote: A - fake: line x+… \(remote_10\(\), .*, and 10 more\)$/);
  expect(lines[1]?.length).toBeLessThan(900);
});

test('without lazy exposure all tools are visible and the prompt has no list', async () => {
  world = await createWorld({ tools: kit, environment: { AGENT_TOOL_LAZY: '0' } });
  expect(names()).toHaveLength(4);
  expect(await section()).toBeUndefined();
});

test('the profile selects the initially visible tools and applies immediately', async () => {
  world = await createWorld({ tools: kit });
  await world.kernel.control.setPreferences({ AGENT_ALWAYS_TOOLS_PROFILE: 'knowledge_first' });
  expect(names()).toEqual(['everyday', 'recall']);
  await world.kernel.control.setPreferences({ AGENT_ALWAYS_TOOLS_PROFILE: 'max_autonomy' });
  expect(names()).toHaveLength(4);
});
