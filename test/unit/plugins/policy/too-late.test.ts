import { expect, test } from 'vitest';
import { createWorld, fakeTool, waitingIn, type World } from '../tools/fake-world.ts';

let world: World;

/** Starts a guarded call, ends its turn while it waits, lets it continue, and returns the events emitted afterwards. */
async function saidTooLate(
  parts: { tool?: object; register?: (registry: any, emitter: any) => void; environment?: Record<string, string> },
  release: () => void,
): Promise<string[]> {
  const other = { manifest: { name: 'other' }, register: parts.register ?? (() => undefined) };
  world = await createWorld({
    tools: [fakeTool('risky', { effects: ['execute'], ...parts.tool })],
    modules: { other: other as never },
    ...(parts.environment ? { environment: parts.environment } : {}),
  });
  const stop = new AbortController();
  const guarded = world.guard(world.toolCall('risky', {}, { turn: world.turn({ signal: stop.signal }) }));
  await new Promise(setImmediate);
  stop.abort();
  release();
  expect(await guarded).toMatchObject({ deny: expect.stringContaining('aborted') });
  return world.events.map((event) => event.kind);
}

let go = (): void => undefined;
const gate = (): Promise<void> => new Promise((resolve) => (go = () => resolve()));

test('a rule result after the end of the turn starts nothing', async () => {
  const gated = gate();
  const rule = { name: 'slow', decide: async () => (await gated, { verdict: 'deny', reason: 'No.' }) };
  expect(await saidTooLate({ register: (registry) => registry.add('approval_rule', rule) }, go)).toEqual([]);
});

test('a judge result after the end of the turn approves nothing', async () => {
  const gated = gate();
  const judge = async (): Promise<object> => (await gated, { verdict: 'approve', reason: 'Fine.' });
  expect(await saidTooLate({ register: (_, emitter) => emitter.tap('approval.judge', judge) }, go)).toEqual([]);
});

test('an approval need found after the end of the turn is not approved by YOLO either', async () => {
  const gated = gate();
  const needsApproval = async (): Promise<string> => (await gated, 'It is risky.');
  expect(await saidTooLate({ tool: { needsApproval }, environment: { AGENT_YOLO: '1' } }, go)).toEqual([]);
});

test('a preview after the end of the turn requests no approval', async () => {
  expect(await saidTooLate({ tool: { preview: () => new Promise(() => undefined) } }, () => undefined)).toEqual([]);
});

test('a question after the end of the turn is withdrawn without an event', async () => {
  world = await createWorld();
  const asking = { chatId: world.chatId, turnId: 'turn', callId: 'call', signal: AbortSignal.abort(), waiting: waitingIn(world.waits) };
  await expect(world.kernel.resolve('approvals').ask({ prompt: 'Well?' }, asking)).rejects.toThrow('withdrawn');
  expect([world.events, world.waits]).toEqual([[], []]);
});
