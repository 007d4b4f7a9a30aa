import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createWorld, fakeTool, type World } from '../tools/fake-world.ts';

const input = { type: 'object', properties: { to: { type: 'string' }, n: { type: 'integer' } }, required: ['to'] };
const kit = [
  fakeTool('send', { effects: ['external'], input, preview: (args: { to: string }) => ({ kind: 'command', command: `send ${args.to}`, cwd: '/w' }) }),
  fakeTool('blind', { effects: ['external'], preview: () => Promise.reject(new Error('no preview')) }),
  fakeTool('stuck', { effects: ['external'], preview: () => new Promise(() => undefined) }),
];

let world: World;
beforeEach(async () => {
  world = await createWorld({ tools: kit });
});
afterEach(() => void vi.useRealTimers());

const approve = (body: object): Promise<any> => world.call('POST /api/approve', { body });

test('a call emits an approval request with all details, is pending, and runs when approved', async () => {
  const call = world.toolCall('send', { to: 'ann' });
  const guarded = world.guard(call);
  const approval = await world.seen('tool_approval');
  expect(approval).toMatchObject({
    chatId: world.chatId,
    turnId: call.turn.turnId,
    callId: call.callId,
    name: 'send',
    args: { to: 'ann' },
    effects: ['external'], // prettier-ignore
    reason: 'The call has effects outside this machine that cannot be undone.',
    preview: { kind: 'command', command: 'send ann', cwd: '/w' }, // prettier-ignore
  });
  expect(approval).not.toHaveProperty('expiresAt');
  expect(await world.call('GET /api/pending')).toEqual({ approvals: [approval], questions: [] });
  expect(world.waits).toEqual(['approval']);

  expect(await approve({ approvalId: approval.approvalId, decision: 'approve' })).toEqual({ ok: true });
  expect(await guarded).toBeUndefined();
  expect(await world.seen('approval_decision')).toEqual({
    chatId: world.chatId,
    turnId: call.turn.turnId,
    callId: call.callId,
    approvalId: approval.approvalId,
    decision: 'approve',
    by: 'user', // prettier-ignore
  });
  expect(await world.call('GET /api/pending')).toEqual({ approvals: [], questions: [] });
  expect(world.waits).toEqual(['approval', 'approval over']);
});

test('a rejection reports to the model who rejected the call, why, and not to retry', async () => {
  const guarded = world.guard(world.toolCall('send', { to: 'ann' }));
  const { approvalId } = await world.seen('tool_approval');
  await approve({ approvalId, decision: 'reject', reason: 'wrong person' });
  expect(await guarded).toEqual({
    deny: expect.stringMatching(/The user rejected.*wrong person/),
    hint: expect.stringContaining('Do not retry the same call'),
  });
  expect(await world.seen('approval_decision')).toMatchObject({ decision: 'reject', by: 'user', reason: 'wrong person' });
});

test('an unattended rejection is not reported as a rejection by the user', async () => {
  const guarded = world.guard(world.toolCall('send', { to: 'ann' }));
  const { approvalId } = await world.seen('tool_approval');
  await approve({ approvalId, decision: 'reject', unattended: true });
  expect(await guarded).toEqual({
    deny: 'This call of send was not run: it needs approval, and no user was present to decide.',
    hint: expect.stringContaining('Do not retry the same call'),
  });
  expect(await world.seen('approval_decision')).toMatchObject({ decision: 'reject', by: 'unattended' });
});

test('edited arguments are validated like those of the model, and the approval stays open until they fit', async () => {
  const guarded = world.authorize(world.toolCall('send', { to: 'ann' }));
  const { approvalId } = await world.seen('tool_approval');
  await expect(approve({ approvalId, decision: 'edit' })).rejects.toMatchObject({ code: 'POLICY_ERR_INVALID_REQUEST', status: 400 });
  const wrong = approve({ approvalId, decision: 'edit', args: { n: 'x' } });
  await expect(wrong).rejects.toMatchObject({ code: 'POLICY_ERR_INVALID_REQUEST', message: expect.stringContaining('/to is missing') });
  expect(world.kernel.resolve('approvals').pending().approvals).toHaveLength(1);
  await approve({ approvalId, decision: 'edit', args: { to: 'bob', n: '2' } });
  expect(await guarded).toMatchObject({ args: { to: 'bob', n: 2 }, editedBy: 'user' });
  expect(await world.seen('approval_decision')).toMatchObject({ decision: 'edit', by: 'user', args: { to: 'bob', n: 2 } });
});

test('of two concurrent decisions the first wins and the second returns an error', async () => {
  const guarded = world.guard(world.toolCall('send', { to: 'ann' }));
  const { approvalId } = await world.seen('tool_approval');
  const answers = await Promise.allSettled([approve({ approvalId, decision: 'reject' }), approve({ approvalId, decision: 'approve' })]);
  expect(answers).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'POLICY_ERR_ALREADY_RESOLVED', status: 409 } }]);
  expect(await guarded).toHaveProperty('deny');
});

test('an approval timeout rejects the call, and a late decision returns an error', async () => {
  await world.kernel.control.setPreferences({ AGENT_APPROVAL_TIMEOUT_MS: '5' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const guarded = world.guard(world.toolCall('send', { to: 'ann' }));
  const { approvalId } = await world.seen('tool_approval');
  await vi.advanceTimersByTimeAsync(9_999);
  expect(world.kernel.resolve('approvals').pending().approvals).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await guarded).toMatchObject({ deny: expect.stringContaining('within 10 s') });
  expect(await world.seen('approval_decision')).toMatchObject({ decision: 'reject', by: 'timeout' });
  await expect(approve({ approvalId, decision: 'approve' })).rejects.toMatchObject({ code: 'POLICY_ERR_EXPIRED', status: 410 });
});

test('a failing preview is omitted, and a hanging one ends with the turn', async () => {
  const stop = new AbortController();
  const blind = world.guard(world.toolCall('blind', {}, { turn: world.turn({ signal: stop.signal }) }));
  expect(await world.seen('tool_approval')).not.toHaveProperty('preview');
  const stuck = world.guard(world.toolCall('stuck', {}, { turn: world.turn({ signal: stop.signal }) }));
  stop.abort();
  expect(await blind).toHaveProperty('deny');
  expect(await stuck).toHaveProperty('deny');
});

describe('disk writes', () => {
  test('a decision takes effect only after it is on disk', async () => {
    let written = (): void => undefined;
    world.control.flush = () => new Promise((resolve) => (written = resolve));
    const order: string[] = [];
    const guarded = world.guard(world.toolCall('send', { to: 'ann' })).then(() => order.push('ran'));
    const { approvalId } = await world.seen('tool_approval');
    const decided = approve({ approvalId, decision: 'approve' }).then(() => order.push('answered'));
    await world.seen('approval_decision');
    await new Promise(setImmediate);
    expect(order).toEqual([]);
    written();
    await Promise.all([guarded, decided]);
    expect(order).toHaveLength(2);
  });

  test('a decision that cannot be written rejects the call', async () => {
    world.control.flush = () => Promise.reject(new Error('disk full'));
    const guarded = world.guard(world.toolCall('send', { to: 'ann' }));
    const { approvalId } = await world.seen('tool_approval');
    await expect(approve({ approvalId, decision: 'approve' })).rejects.toThrow('disk full');
    expect(await guarded).toEqual({ deny: 'The call could not be prepared: disk full' });
  });
});

test('unloading the plugin leaves no call pending', async () => {
  const guarded = world.guard(world.toolCall('send', { to: 'ann' }));
  await world.seen('tool_approval');
  await world.kernel.close();
  expect(await guarded).toMatchObject({ deny: expect.stringContaining('aborted') });
});
