import { describe, expect, test } from 'vitest';
import type { ToolCall } from 'agent-harness/plugins/agent';
import { createWorld, fakeTool, type World } from '../tools/fake-world.ts';

let world: World;

const kit = [
  fakeTool('send', { effects: ['external'] }),
  fakeTool('run_command', { effects: ['execute'] }),
  fakeTool('erase', { effects: ['write'], needsApproval: (args: { path: string }) => (args.path === '/' ? 'That is everything.' : undefined) }),
];

async function isAsked(call: ToolCall, decision: object = { decision: 'approve' }): Promise<boolean> {
  const guarded = world.guard(call);
  const approval = await world.asked(guarded);
  if (approval) await world.kernel.resolve('approvals').decide(approval.approvalId, decision as never);
  await guarded;
  return approval !== undefined;
}
const rememberIt = { decision: 'approve', remember: 'chat' };

describe('decisions remembered for the chat', () => {
  test('a single decision and a plain rejection are not remembered', async () => {
    world = await createWorld({ tools: kit });
    for (const decision of [{ decision: 'approve' }, { decision: 'approve', remember: 'once' }, { decision: 'reject', remember: 'once' }])
      expect(await isAsked(world.toolCall('send'), decision)).toBe(true);
    expect(await isAsked(world.toolCall('send'))).toBe(true);
  });

  test('a remembered rejection denies later calls by rule without asking', async () => {
    world = await createWorld({ tools: kit });
    expect(await isAsked(world.toolCall('send', { a: 1 }), { decision: 'reject', remember: 'chat' })).toBe(true);
    await world.seen('approval_decision');
    const again = world.guard(world.toolCall('send', { a: 2 }));
    expect(await world.asked(again)).toBeUndefined();
    expect(await again).toMatchObject({ deny: expect.stringContaining('The user rejected this for the rest of the chat.') });
    expect(await world.seen('approval_decision')).toMatchObject({ decision: 'reject', by: 'rule' });
    expect(await isAsked(world.toolCall('run_command', { command: 'ls' }))).toBe(true);
  });

  test('the approval states the scope of remembering: the tool or exactly this call', async () => {
    world = await createWorld({ tools: kit });
    const scopeOf = async (name: string): Promise<string | undefined> => {
      const guarded = world.guard(world.toolCall(name, { path: '/', command: 'x' }));
      const approval = await world.asked(guarded);
      await world.kernel.resolve('approvals').decide(approval?.approvalId ?? '', { decision: 'reject' });
      await guarded;
      return approval?.remembers;
    };
    expect(await scopeOf('send')).toBe('Applies in this chat to every call of send with any arguments.');
    expect(await scopeOf('run_command')).toBe('Applies in this chat to exactly this call of run_command, with these arguments.');
    expect(await scopeOf('erase')).toContain('exactly this call of erase');
  });

  test('remembers only identical calls of programs and of tools that check arguments', async () => {
    world = await createWorld({ tools: kit });
    for (const [tool, args, other] of [
      ['run_command', { command: 'make', cwd: 'a' }, { command: 'make', cwd: 'b' }],
      ['erase', { path: '/a' }, { path: '/b' }],
    ] as const) {
      expect(await isAsked(world.toolCall(tool, args), rememberIt)).toBe(true);
      expect(await isAsked(world.toolCall(tool, Object.fromEntries(Object.entries(args).reverse())))).toBe(false);
      expect(await isAsked(world.toolCall(tool, other))).toBe(true);
    }
  });

  test('untrusted content still requires approval, which cannot be remembered', async () => {
    world = await createWorld({ tools: kit });
    expect(await isAsked(world.toolCall('send'), rememberIt)).toBe(true);
    for (let times = 0; times < 2; times++) expect(await isAsked(world.toolCall('send', {}, { turn: world.turn({ isTainted: true }) }), rememberIt)).toBe(true);
  });

  test('a hard reset and a deletion clear remembered decisions, a soft reset keeps them', async () => {
    world = await createWorld({ tools: kit });
    await isAsked(world.toolCall('send'), rememberIt);
    await world.kernel.emitter.call('session.reset', [{ chatId: world.chatId, mode: 'soft' }]);
    expect(await isAsked(world.toolCall('send'))).toBe(false);
    await world.kernel.emitter.call('session.reset', [{ chatId: world.chatId, mode: 'hard' }]);
    expect(await isAsked(world.toolCall('send'), rememberIt)).toBe(true);
    await world.kernel.emitter.call('chat.close', [world.chatId]);
    expect(await isAsked(world.toolCall('send'))).toBe(true);
  });
});

describe('AGENT_YOLO', () => {
  test('approves calls that need approval and records each one', async () => {
    world = await createWorld({ tools: kit, environment: { AGENT_YOLO: '1' } });
    expect(await isAsked(world.toolCall('send'))).toBe(false);
    expect(await world.seen('approval_decision')).toMatchObject({ decision: 'approve', by: 'yolo', approvalId: expect.stringMatching(/^appr_/) });
  });

  test('can be changed at run time and is marked as ephemeral', async () => {
    world = await createWorld({ tools: kit });
    await world.kernel.control.setPreferences({ AGENT_YOLO: '1' });
    expect(await isAsked(world.toolCall('send'))).toBe(false);
    await world.kernel.control.setPreferences({});
    expect(await isAsked(world.toolCall('send'))).toBe(true);
    expect(world.kernel.control.fields().find((field) => field.key === 'AGENT_YOLO')?.schema).toMatchObject({ ephemeral: true });
  });

  test('does not override a deny rule', async () => {
    const forbids = { name: 'never', decide: () => ({ verdict: 'deny', reason: 'No.' }) };
    const modules: any = { rules: { register: (registry: any) => registry.add('approval_rule', forbids) } };
    world = await createWorld({ tools: kit, environment: { AGENT_YOLO: '1' }, modules });
    expect(await world.guard(world.toolCall('send'))).toMatchObject({ deny: expect.stringContaining('No.') });
  });
});

describe('approval judge', () => {
  const judged = (judge: () => unknown): any => ({ judge: { register: (_: unknown, emitter: any) => emitter.tap('approval.judge', judge) } });

  test('may approve a call before the user is asked', async () => {
    world = await createWorld({ tools: kit, modules: judged(() => ({ verdict: 'approve', reason: 'harmless' })) });
    expect(await isAsked(world.toolCall('run_command'))).toBe(false);
    expect(await world.seen('approval_decision')).toMatchObject({ by: 'judge', reason: 'harmless' });
  });

  test('is not consulted about a call after untrusted content', async () => {
    world = await createWorld({ tools: kit, modules: judged(() => ({ verdict: 'approve', reason: 'harmless' })) });
    expect(await isAsked(world.toolCall('send', {}, { turn: world.turn({ isTainted: true }) }))).toBe(true);
  });

  test('leaves the decision to the user when it fails', async () => {
    world = await createWorld({ tools: kit, modules: judged(() => Promise.reject(new Error('offline'))) });
    expect(await isAsked(world.toolCall('send'))).toBe(true);
  });
});

describe('policy rules with a source', () => {
  const rule = (verdict: object): { readonly modules: object } => ({
    modules: { laid: { register: (registry: any) => void registry.add('approval_rule', { name: 'laid', decide: () => verdict }) } },
  });

  test('a rule that needs a person overrides automatic approval, and the events include its source', async () => {
    world = await createWorld({
      tools: kit,
      environment: { AGENT_YOLO: '1' },
      ...rule({ verdict: 'ask', reason: 'Laid down.', source: 'policy of Acme', needsPerson: true }),
    } as never);
    const guarded = world.guard(world.toolCall('send'));
    const approval = await world.asked(guarded);
    expect(approval).toMatchObject({ reason: 'Laid down.', source: 'policy of Acme' });
    await world.kernel.resolve('approvals').decide(approval?.approvalId ?? '', { decision: 'approve', remember: 'chat' });
    await guarded;
    expect(await isAsked(world.toolCall('send'))).toBe(true);
  });

  test('a rule that needs a person hides no reason of another rule', async () => {
    const decided = { first: { verdict: 'ask', reason: 'It sends a secret.' }, last: { verdict: 'ask', reason: 'Laid down.', needsPerson: true } };
    const modules = Object.entries(decided).map(([name, verdict]) => [
      name,
      { register: (registry: any) => void registry.add('approval_rule', { name, decide: () => verdict }) },
    ]);
    world = await createWorld({ tools: kit, modules: Object.fromEntries(modules) } as never);
    expect((await world.asked(world.guard(world.toolCall('send'))))?.reason).toBe('Laid down. It sends a secret.');
  });

  test('a denial overrides everything and includes its source', async () => {
    world = await createWorld({
      tools: kit,
      environment: { AGENT_YOLO: '1' },
      ...rule({ verdict: 'deny', reason: 'Blocked.', source: 'policy of Acme' }),
    } as never);
    expect(await world.guard(world.toolCall('send'))).toMatchObject({ deny: expect.stringContaining('Blocked.') });
    expect(await world.seen('approval_decision')).toMatchObject({ decision: 'reject', by: 'rule', reason: 'Blocked.', source: 'policy of Acme' });
  });
});
