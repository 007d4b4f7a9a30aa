// Tests the approval requests that an editor receives, including the preview of a command.
import { expect, test } from 'vitest';
import { createPermissions } from '../../../../builtins/clients/acp/asking/permissions.ts';

const approval = { approvalId: 'appr', callId: 'call', turnId: 'turn', name: 'run_command', args: { command: 'echo x > a' }, reason: 'It runs a program.' };

test('reports a running preview once, then requests approval with its changes and approves exactly that preview', async () => {
  const [told, asked, approved]: [any[], any[], any[]] = [[], [], []];
  const permissions = createPermissions({
    chat: { approve: (id: string, decision: object) => (approved.push([id, decision]), Promise.resolve()) } as never,
    card: () => undefined as never,
    tell: (update) => told.push(update),
    isAlone: () => Promise.resolve(true),
    ask(toolCall) {
      asked.push(toolCall);
      return Promise.resolve({ outcome: { outcome: 'selected', optionId: 'allow' } });
    },
  });
  const see = (rehearsal: object): void => permissions.see({ approvals: [{ ...approval, rehearsal }], entries: [] } as never);
  see({ state: 'running' });
  see({ state: 'running' });
  expect(asked).toEqual([]);
  expect(told).toMatchObject([{ sessionUpdate: 'tool_call_update', toolCallId: 'call' }]);
  expect(JSON.stringify(told)).toContain('A preview is running in a copy of the workspace.');
  const rehearsal = { state: 'ready', id: 'seen', ok: true, output: 'said', changes: [{ path: 'a', kind: 'added', added: 1, removed: 0 }], diff: '+x' };
  see(rehearsal);
  see(rehearsal);
  await expect.poll(() => approved).toEqual([['appr', { decision: 'approve', rehearsal: 'seen' }]]);
  expect(asked).toHaveLength(1);
  expect(JSON.stringify(asked)).toContain('new: a +1 -0');
  expect(told).toHaveLength(1);
});

test.each([
  [true, [['appr', { decision: 'reject', reason: 'The editor could not ask: Method not found' }]]],
  [false, []],
])('if the editor cannot show a request, denies it only when no other client is connected (alone: %s)', async (isAlone, decided) => {
  const approved: unknown[] = [];
  let looks = 0;
  const permissions = createPermissions({
    chat: { approve: (id: string, decision: object) => (approved.push([id, decision]), Promise.resolve()) } as never,
    card: () => undefined as never,
    tell: () => undefined,
    isAlone: () => (looks++, Promise.resolve(isAlone)),
    ask: () => Promise.reject(new Error('Method not found')),
  });
  permissions.see({ approvals: [approval], entries: [] } as never);
  await expect.poll(() => looks).toBe(1);
  await expect.poll(() => approved).toEqual(decided);
});

test.each([
  [
    'offers network access for a command without it',
    'Allow with network',
    { args: { command: 'npm ci' }, preview: { kind: 'command', command: 'npm ci', cwd: '/w', network: false } },
    { decision: 'edit', args: { command: 'npm ci', network: true } },
  ],
  [
    'offers a folder rule for the widest kind of the call',
    'Allow always npm run … in this folder',
    { remembers: 'Holds.', kinds: ['npm run build …', 'npm run …'] },
    { decision: 'approve', remember: 'workspace', kind: 'npm run …' },
  ],
])('%s', async (_, chosen, more, decision) => {
  const approved: unknown[] = [];
  const permissions = createPermissions({
    chat: { approve: (id: string, decided: object) => (approved.push([id, decided]), Promise.resolve()) } as never,
    card: () => undefined as never,
    tell: () => undefined,
    isAlone: () => Promise.resolve(true),
    ask: (__, options) => Promise.resolve({ outcome: { outcome: 'selected', optionId: options.find(({ name }) => name === chosen)?.optionId ?? '' } }),
  });
  permissions.see({ approvals: [{ ...approval, ...more }], entries: [] } as never);
  await expect.poll(() => approved).toEqual([['appr', decision]]);
});
