import { expect, test } from 'vitest';
import { startMemory, type MemoryWorld } from '../memory/memory-world.ts';
import type { ScriptedReply } from '../../../helpers/scripted-model.ts';

let world: MemoryWorld;
const user = { kind: 'user', ref: 'test' } as const;
const isRewrite = ({ body }: { body: any }): boolean => JSON.stringify(body.messages[0]).includes('You prepare a search');
const rewrite = (text: string): ScriptedReply => ({ when: isRewrite, always: true, text });
const good = '{"queries": ["vehicle colour", "what does the automobile look like", "car paint", "a fourth"], "passage": "The automobile is painted red."}';
const chat: ScriptedReply = { text: 'ok', always: true };
async function start(reply: ScriptedReply, environment: Record<string, string> = { AGENT_QUERY_REWRITE: '1' }): Promise<void> {
  const builtins = ['memory', 'recall-prime', 'query-rewrite', 'model-chat-completions'];
  world = await startMemory({ builtins, script: [reply, chat], environment: { AGENT_MEMORY_EXPLORATORY_AUTO_RECALL: '1', ...environment } });
  await world.notes.remember(world.place, { type: 'fact', key: 'ride', value: 'The automobile is red.', source: user });
}
const rewrites = (): number => world.model.requests.filter(isRewrite).length;
const shown = (): boolean => world.model.requests.some((request) => !isRewrite(request) && JSON.stringify(request.body.messages).includes('[fact:ride]'));

test('finds a note for a differently worded question with one counted call per turn', async () => {
  await start(rewrite(good));
  await world.say('hue of wheels?');
  expect(shown()).toBe(true);
  expect(rewrites()).toBe(1);
  expect(world.events.find(({ kind, payload }) => kind === 'usage' && payload.purpose === 'rewrite')?.payload.plugin).toBe('query-rewrite');
});

test('makes no call while AGENT_QUERY_REWRITE is off', async () => {
  await start(rewrite(good), {});
  await world.say('hue of wheels?');
  expect([rewrites(), shown()]).toEqual([0, false]);
});

test('rewrites an exploratory turn only with AGENT_QUERY_REWRITE_EXPLORATORY', async () => {
  await start(rewrite(good));
  await world.say('Brainstorm a hue of wheels');
  expect(rewrites()).toBe(0);
  await world.harness.kernel.control.setPreferences({ AGENT_QUERY_REWRITE_EXPLORATORY: '1' });
  await world.say('Brainstorm a hue of wheels');
  expect([rewrites(), shown()]).toEqual([1, true]);
});

test.each(['no JSON at all', '{"queries": "x", "passage": 7}', '[]'])('ignores an unusable answer: %s', async (text) => {
  await start(rewrite(text));
  expect((await world.say('which automobile?'))?.reason).toBe('done');
  expect(shown()).toBe(true);
});

test('continues the turn without a rewrite when the model stalls for 4 s', async () => {
  await start({ when: isRewrite, always: true, text: 'x', stallAfter: 0 });
  const begun = performance.now();
  expect((await world.say('which automobile?'))?.reason).toBe('done');
  expect(performance.now() - begun).toBeGreaterThan(3_500);
  expect(shown()).toBe(true);
});
