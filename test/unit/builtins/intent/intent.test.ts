import { expect, test } from 'vitest';
import type { Prompt } from 'agent-harness/plugins/agent';
import * as intent from '../../../../builtins/turn/intent/index.ts';
import { createWorld, fakeTool, type World } from '../../plugins/tools/fake-world.ts';

let world: World;

const names = ['edit_file', 'run_command', 'recall', 'web_fetch', 'read_artifact'];
const start = async (hint: string, tools = names): Promise<void> => {
  world = await createWorld({ tools: tools.map((name) => fakeTool(name)), environment: { AGENT_PROTOCOL_INTENT_HINT: hint }, modules: { intent } as never });
};
const prompt: Prompt = { system: [{ id: 'rules', text: 'rules' }], messages: [], tail: [] };
const build = (): Promise<Prompt> => world.kernel.emitter.call('prompt.build', [prompt, world.turn()]);
const sections = async (): Promise<string[]> => (await build()).system.flatMap(({ id }) => (id.startsWith('protocol_') ? [id.slice(9)] : []));
const tokens = ({ system }: Prompt): number => system.reduce((sum, { text }) => sum + text.length, 0) / 4;

test.each([
  ['', ['editing', 'commands', 'memory', 'research', 'reflection']],
  ['any', ['editing', 'commands', 'memory', 'research', 'reflection']],
  ['coding', ['editing', 'commands']],
  ['knowledge', ['memory', 'research']],
  ['execution', ['commands']],
  ['introspection', ['memory', 'reflection']],
])("AGENT_PROTOCOL_INTENT_HINT='%s' keeps the matching sections", async (hint, expected) => {
  await start(hint);
  expect(await sections()).toEqual(expected);
});

test('includes a section only if one of its tools exists', async () => {
  await start('any', ['write_file', 'web_search']);
  expect(await sections()).toEqual(['editing', 'research']);
  await world.close();
  await start('any', []);
  expect(await build()).toEqual({ ...prompt, system: [prompt.system[0], ...(await build()).system.slice(1)] });
  expect(await sections()).toEqual([]);
});

test('a hint saves 300 to 800 tokens, and each section has about 100', async () => {
  await start('any');
  const all = await build();
  for (const { id, text } of all.system.filter((section) => section.id.startsWith('protocol_'))) {
    expect([id, text.length / 4 >= 90 && text.length / 4 <= 120]).toEqual([id, true]);
  }
  for (const hint of ['coding', 'knowledge', 'execution', 'introspection']) {
    await world.close();
    await start(hint);
    const saved = tokens(all) - tokens(await build());
    expect([hint, saved >= 300 && saved <= 800]).toEqual([hint, true]);
  }
});

test('builds the same prompt for the same hint, and applies a new hint while the server is running', async () => {
  world = await createWorld({ tools: names.map((name) => fakeTool(name)), modules: { intent } as never });
  expect(await build()).toEqual(await build());
  await world.kernel.control.setPreferences({ AGENT_PROTOCOL_INTENT_HINT: 'execution' });
  expect(await sections()).toEqual(['commands']);
});
