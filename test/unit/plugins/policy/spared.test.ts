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

describe('remembered for the chat', () => {
  test('once is once, and a rejection without a word about it is not remembered', async () => {
    world = await createWorld({ tools: kit });
    for (const decision of [{ decision: 'approve' }, { decision: 'approve', remember: 'once' }, { decision: 'reject', remember: 'once' }])
      expect(await isAsked(world.toolCall('send'), decision)).toBe(true);
    expect(await isAsked(world.toolCall('send'))).toBe(true);
  });

  test('a rejection that is remembered stands for the chat, said by a rule and not asked again', async () => {
    world = await createWorld({ tools: kit });
    expect(await isAsked(world.toolCall('send', { a: 1 }), { decision: 'reject', remember: 'chat' })).toBe(true);
    await world.seen('approval_decision');
    const again = world.guard(world.toolCall('send', { a: 2 }));
    expect(await world.asked(again)).toBeUndefined();
    expect(await again).toMatchObject({ deny: expect.stringContaining('A person rejected this for the rest of the chat.') });
    expect(await world.seen('approval_decision')).toMatchObject({ decision: 'reject', by: 'rule' });
    expect(await isAsked(world.toolCall('run_command', { command: 'ls' }))).toBe(true);
  });

  test('the approval says what would be remembered: the tool, or this very call', async () => {
    world = await createWorld({ tools: kit });
    const told = async (name: string): Promise<string | undefined> => {
      const guarded = world.guard(world.toolCall(name, { path: '/', command: 'x' }));
      const approval = await world.asked(guarded);
      await world.kernel.resolve('approvals').decide(approval?.approvalId ?? '', { decision: 'reject' });
      await guarded;
      return approval?.remembers;
    };
    expect(await told('send')).toBe('Applies in this chat to every call of send with any arguments.');
    expect(await told('run_command')).toBe('Applies in this chat to exactly this call of run_command, with these arguments.');
    expect(await told('erase')).toContain('exactly this call of erase');
  });

  test('of a program, and of a tool that looks at its arguments, only the very same call', async () => {
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

  test('what was edited is remembered as edited', async () => {
    world = await createWorld({ tools: kit });
    expect(await isAsked(world.toolCall('run_command', { command: 'rm a' }), { decision: 'edit', args: { command: 'ls a' }, remember: 'chat' })).toBe(true);
    expect(await isAsked(world.toolCall('run_command', { command: 'ls a' }))).toBe(false);
    expect(await isAsked(world.toolCall('run_command', { command: 'rm a' }))).toBe(true);
  });

  test('it does not spare the question after untrusted text, nor can that question be remembered', async () => {
    world = await createWorld({ tools: kit });
    expect(await isAsked(world.toolCall('send'), rememberIt)).toBe(true);
    for (let times = 0; times < 2; times++) expect(await isAsked(world.toolCall('send', {}, { turn: world.turn({ isTainted: true }) }), rememberIt)).toBe(true);
  });

  test('a hard reset and a deleted chat forget, a soft reset does not', async () => {
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
  test('approves what would ask and records it each time', async () => {
    world = await createWorld({ tools: kit, environment: { AGENT_YOLO: '1' } });
    expect(await isAsked(world.toolCall('send'))).toBe(false);
    expect(await world.seen('approval_decision')).toMatchObject({ decision: 'approve', by: 'yolo', approvalId: expect.stringMatching(/^appr_/) });
  });

  test('can be switched while the server runs, and says that it must not be saved', async () => {
    world = await createWorld({ tools: kit });
    await world.kernel.control.setPreferences({ AGENT_YOLO: '1' });
    expect(await isAsked(world.toolCall('send'))).toBe(false);
    await world.kernel.control.setPreferences({});
    expect(await isAsked(world.toolCall('send'))).toBe(true);
    expect(world.kernel.control.fields().find((field) => field.key === 'AGENT_YOLO')?.schema).toMatchObject({ ephemeral: true });
  });

  test('does not lift what a rule forbids', async () => {
    const forbids = { name: 'never', decide: () => ({ verdict: 'deny', reason: 'No.' }) };
    const modules: any = { rules: { register: (registry: any) => registry.add('approval_rule', forbids) } };
    world = await createWorld({ tools: kit, environment: { AGENT_YOLO: '1' }, modules });
    expect(await world.guard(world.toolCall('send'))).toMatchObject({ deny: expect.stringContaining('No.') });
  });
});

describe('a judge', () => {
  const judged = (judge: () => unknown): any => ({ judge: { register: (_: unknown, emitter: any) => emitter.tap('approval.judge', judge) } });

  test('may approve before a person is asked', async () => {
    world = await createWorld({ tools: kit, modules: judged(() => ({ verdict: 'approve', reason: 'harmless' })) });
    expect(await isAsked(world.toolCall('run_command'))).toBe(false);
    expect(await world.seen('approval_decision')).toMatchObject({ by: 'judge', reason: 'harmless' });
  });

  test('is not heard about a call after untrusted text', async () => {
    world = await createWorld({ tools: kit, modules: judged(() => ({ verdict: 'approve', reason: 'harmless' })) });
    expect(await isAsked(world.toolCall('send', {}, { turn: world.turn({ isTainted: true }) }))).toBe(true);
  });

  test('that has no opinion or breaks leaves the question to the person', async () => {
    world = await createWorld({ tools: kit, modules: judged(() => Promise.reject(new Error('offline'))) });
    expect(await isAsked(world.toolCall('send'))).toBe(true);
  });
});

describe('what somebody above the person wants', () => {
  const rule = (verdict: object): { readonly modules: object } => ({
    modules: { laid: { register: (registry: any) => void registry.add('approval_rule', { name: 'laid', decide: () => verdict }) } },
  });

  test('a person decides, whatever would approve it otherwise, and the events say where the rule comes from', async () => {
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

  test('a refusal beats everything and says whose it is', async () => {
    world = await createWorld({
      tools: kit,
      environment: { AGENT_YOLO: '1' },
      ...rule({ verdict: 'deny', reason: 'Blocked.', source: 'policy of Acme' }),
    } as never);
    expect(await world.guard(world.toolCall('send'))).toMatchObject({ deny: expect.stringContaining('Blocked.') });
    expect(await world.seen('approval_decision')).toMatchObject({ decision: 'reject', by: 'rule', reason: 'Blocked.', source: 'policy of Acme' });
  });
});
