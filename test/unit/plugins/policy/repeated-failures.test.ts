import { beforeEach, expect, test } from 'vitest';
import type { Turn } from 'agent-harness/plugins/agent';
import { createWorld, fakeTool } from '../tools/fake-world.ts';
import { useEach } from '../../../helpers/use-opened.ts';

let turn: Turn;
const world = useEach(() => createWorld({ tools: [fakeTool('probe'), fakeTool('edit', { effects: ['write'], undo: 'checkpoint' })] }));
beforeEach(async () => {
  turn = world.turn();
});

const end = async (ok: boolean, args: Record<string, unknown>, name = 'probe'): Promise<unknown> =>
  world.kernel.emitter.call('tool.after', [ok ? { ok, output: '' } : { ok, error: 'no' }, world.toolCall(name, args, { turn })]);
const verdict = (args: Record<string, unknown>, changes: { turn?: Turn } = {}): Promise<unknown> =>
  world.guard(world.toolCall('probe', args, { turn, ...changes }));
const refused = { deny: expect.stringContaining('failed 3 times'), hint: expect.stringContaining('probe') };

test('a call that failed three times is rejected for the turn, in any argument order', async () => {
  for (let times = 0; times < 2; times++) await end(false, { a: 1, b: { c: 1, d: 2 } });
  expect(await verdict({ a: 1, b: { c: 1, d: 2 } })).toBeUndefined();
  await end(false, { b: { d: 2, c: 1 }, a: 1 });
  expect(await verdict({ b: { d: 2, c: 1 }, a: 1 })).toEqual(refused);
  expect(await verdict({ a: 1, b: { c: 1, d: 2 } })).toEqual(refused);
});

test('other calls of the tool and the same call in the next turn still run', async () => {
  for (let times = 0; times < 3; times++) await end(false, { a: 1 });
  expect(await verdict({ a: 2 })).toBeUndefined();
  expect(await verdict({ a: 1 }, { turn: world.turn() })).toBeUndefined();
});

test('the count restarts after a success and after a change', async () => {
  const failTwice = async (): Promise<void> => {
    await end(false, { a: 1 });
    await end(false, { a: 1 });
  };
  await failTwice();
  await end(true, { a: 1 });
  await failTwice();
  await end(true, {}, 'edit');
  await failTwice();
  expect(await verdict({ a: 1 })).toBeUndefined();
  await end(false, { a: 1 });
  expect(await verdict({ a: 1 })).toEqual(refused);
});
