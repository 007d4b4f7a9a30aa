import { expect, test } from 'vitest';
import type { Prompt, Turn } from 'agent-harness/plugins/agent';
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import * as ruleRecall from '../../../../builtins/turn/rule-recall/index.ts';
import { createWorld, fakeTool, type World } from '../../plugins/tools/fake-world.ts';

let world: World;

const kit = [
  fakeTool('look'),
  fakeTool('edit', { effects: ['write'], undo: 'checkpoint' }),
  fakeTool('run_command', { effects: ['execute'] }),
  fakeTool('send', { effects: ['external'] }),
];
const start = async (environment: Record<string, string> = {}): Promise<void> => {
  world = await createWorld({ tools: kit, environment, modules: { 'rule-recall': ruleRecall } as never });
};
const use = async (turn: Turn, name: string, outcome: ToolOutcome = { ok: true, output: '' }): Promise<unknown> =>
  world.kernel.emitter.call('tool.after', [outcome, world.toolCall(name, {}, { turn })]);
const messages: Prompt = { system: [{ id: 'a', text: 'a' }], messages: [{ role: 'user', text: 'hi' }], tail: [{ role: 'system', text: 'other' }] };
async function reminded(turn: Turn, round = 2): Promise<string[]> {
  const prompt = await world.kernel.emitter.call('prompt.build', [messages, { ...turn, round }]);
  const added = prompt.tail.slice(1);
  expect(added.length).toBeLessThanOrEqual(1);
  expect(added.every((message) => message.role === 'system')).toBe(true);
  return added.flatMap((message) => ('text' in message ? [...message.text.matchAll(/^- ([a-z-]+):/gm)].map((match) => match[1] ?? '') : []));
}

test('adds the rules for the actions of round 1 to round 2 only', async () => {
  await start();
  const turn = world.turn();
  await use(turn, 'edit');
  await use(turn, 'run_command');
  expect(await reminded(turn, 1)).toEqual([]);
  expect(await reminded(turn, 2)).toEqual(['edits', 'commands']);
  expect(await reminded(turn, 3)).toEqual([]);
});

test.each<[string, Partial<Turn>, string, ToolOutcome, string[]]>([
  ['external content', {}, 'look', { ok: true, output: '', isUntrusted: true }, ['untrusted-text']],
  ['external content earlier in the turn', { isTainted: true }, 'look', { ok: true, output: '' }, ['untrusted-text']],
  ['an external call', {}, 'send', { ok: true, output: '' }, ['external-acts']],
  ['a failure', {}, 'look', { ok: false, error: 'no' }, ['failed-calls']],
  ['truncated output', {}, 'look', { ok: true, output: '', artifactId: 'a' }, ['cut-output']],
  ['a read', {}, 'look', { ok: true, output: '' }, []],
])('adds the matching reminder after %s', async (_, changes, name, outcome, names) => {
  await start();
  const turn = world.turn(changes);
  await use(turn, name, outcome);
  expect(await reminded(turn)).toEqual(names);
});

test('ignores actions of later rounds and of other turns', async () => {
  await start();
  const turn = world.turn();
  await use({ ...turn, round: 2 }, 'edit');
  await use(world.turn(), 'edit');
  expect(await reminded(turn)).toEqual([]);
});

test('stops adding reminders when the setting is switched off at runtime', async () => {
  await start();
  const turn = world.turn();
  await use(turn, 'edit');
  await world.kernel.control.setPreferences({ AGENT_RULE_RECALL: '0' });
  expect(await reminded(turn)).toEqual([]);
});
