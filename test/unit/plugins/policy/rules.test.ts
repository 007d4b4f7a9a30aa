import { describe, expect, test } from 'vitest';
import type { ToolCall, Turn } from 'agent-harness/plugins/agent';
import type { Tool } from 'agent-harness/plugins/tools';
import { createWorld, fakeTool, type World } from '../tools/fake-world.ts';

let world: World;

async function rulingOn(name: string, turn: Partial<Turn> = {}): Promise<string> {
  const stop = new AbortController();
  const guarded = world.guard(world.toolCall(name, { a: 1 }, { turn: world.turn({ signal: stop.signal, ...turn }) }));
  const approval = await world.asked(guarded);
  stop.abort();
  const verdict = await guarded;
  if (approval) return `ask: ${approval.reason}`;
  return verdict && 'deny' in verdict ? `deny: ${verdict.deny}` : 'allow';
}

const cases: readonly [what: string, tool: Partial<Tool>, turn: Partial<Turn>, ruling: RegExp][] = [
  ['a read', { effects: ['read'] }, {}, /^allow/],
  ['a read from the network', { effects: ['read', 'network'] }, {}, /^allow/],
  ['only the network', { effects: ['network'] }, {}, /^allow/],
  ['a write that can be undone', { effects: ['write'], undo: 'checkpoint' }, {}, /^allow/],
  ['a write that cannot be undone', { effects: ['write'] }, {}, /^ask: .*cannot be undone/],
  ['a write declared without undo', { effects: ['write'], undo: 'none' }, {}, /^ask: .*cannot be undone/],
  ['a program', { effects: ['execute'] }, {}, /^ask: .*runs a program/],
  ['a program that also writes with a checkpoint', { effects: ['write', 'execute'], undo: 'checkpoint' }, {}, /^ask: .*runs a program/],
  ['a send', { effects: ['external', 'network'] }, {}, /^ask: .*outside this machine/],
  ['undeclared effects', { effects: undefined as never }, {}, /^ask: The tool does not declare its effects/],
  ['an empty list of effects', { effects: [] }, {}, /^ask: The tool does not declare its effects/],
  ['a tool that always asks', { needsApproval: true }, {}, /^ask: The tool probe always needs an approval/],
  ['a tool that asks for these arguments', { needsApproval: (args: { a: number }) => `a is ${args.a}` }, {}, /^ask: a is 1/],
  ['a tool that does not ask for these', { needsApproval: () => undefined }, {}, /^allow/],
  ['a program that does not ask for these', { effects: ['execute'], needsApproval: () => undefined }, {}, /^ask: .*runs a program/],
  ['a tool that cannot tell', { needsApproval: () => Promise.reject(new Error('lost')) }, {}, /^ask: .*could not determine.*lost/],
  ['a read after untrusted text', { effects: ['read', 'network'] }, { isTainted: true }, /^allow/],
  ['a send after untrusted text', { effects: ['external'] }, { isTainted: true }, /^ask: This turn read external content.*send/],
  ['a read that sends its arguments', { effects: ['read', 'network'], sendsArguments: true }, {}, /^allow/],
  [
    'such a read after untrusted content',
    { effects: ['read', 'network'], sendsArguments: true },
    { isTainted: true },
    /^ask: This turn read.*send its arguments/,
  ],
  ['a read with local arguments after untrusted content', { effects: ['read', 'network'], sendsArguments: { except: ['a'] } }, { isTainted: true }, /^allow/],
  [
    'a note after untrusted content',
    { effects: ['write'], undo: 'checkpoint', traits: ['lasting'] },
    { isTainted: true },
    /^ask: This turn read external content.*memory/,
  ],
  ['a recall after untrusted content', { effects: ['read'], traits: ['lasting'] }, { isTainted: true }, /^allow/],
  ['an edit after untrusted content', { effects: ['write'], undo: 'checkpoint' }, { isTainted: true }, /^allow/],
];

test.each(cases)('the built-in rules evaluate %s', async (_, tool, turn, ruling) => {
  world = await createWorld({ tools: [fakeTool('probe', tool)] });
  expect(await rulingOn('probe', turn)).toMatch(ruling);
});

describe('contributed rules', () => {
  const ruled = (...verdicts: readonly (string | Error)[]): any => ({
    rules: {
      register(registry: any) {
        verdicts.forEach((verdict, index) => {
          const decide = () => {
            if (verdict instanceof Error) throw verdict;
            return verdict === '' ? undefined : { verdict, reason: `rule ${index} says so.` };
          };
          registry.add('approval_rule', { name: `rule-${index}`, decide });
        });
      },
    },
  });
  const command = fakeTool('probe', { effects: ['execute'] });

  test('an allow verdict skips the approval and is recorded', async () => {
    world = await createWorld({ tools: [command], modules: ruled('', 'allow') });
    expect(await rulingOn('probe')).toBe('allow');
    expect(await world.seen('approval_decision')).toMatchObject({ decision: 'approve', by: 'rule', reason: 'rule 1 says so.' });
  });

  test('an allow verdict is not recorded if no approval was needed', async () => {
    world = await createWorld({ tools: [fakeTool('probe')], modules: ruled('allow') });
    expect(await rulingOn('probe')).toBe('allow');
    expect(world.events).toEqual([]);
  });

  test('ask overrides allow, and deny overrides both', async () => {
    world = await createWorld({ tools: [fakeTool('probe')], modules: ruled('allow', 'ask') });
    expect(await rulingOn('probe')).toBe('ask: rule 1 says so.');
    await world.close();
    world = await createWorld({ tools: [command], modules: ruled('allow', 'ask', 'deny') });
    expect(await rulingOn('probe')).toMatch(/^deny: .*rule 2 says so/);
    expect(await world.seen('approval_decision')).toMatchObject({ decision: 'reject', by: 'rule' });
  });

  test('a yielding ask applies after allow verdicts and adds its reason to other approvals', async () => {
    const rule = (name: string, verdict: object): any => ({ register: (registry: any) => registry.add('approval_rule', { name, decide: () => verdict }) });
    const yielding = rule('one', { verdict: 'ask', reason: 'It has foreign words.', yields: true });
    world = await createWorld({ tools: [command, fakeTool('read', { effects: ['read'] })], modules: { one: yielding } });
    expect(await rulingOn('probe')).toBe('ask: It has foreign words. The call runs a program on this machine.');
    expect(await rulingOn('read')).toBe('ask: It has foreign words.');
    await world.close();
    world = await createWorld({ tools: [command], modules: { one: yielding, two: rule('two', { verdict: 'allow', reason: 'It only reads.' }) } });
    expect(await rulingOn('probe')).toBe('allow');
  });

  test("an allow verdict overrides neither the tool's own request for approval nor untrusted content", async () => {
    world = await createWorld({ tools: [fakeTool('probe', { needsApproval: true }), fakeTool('send', { effects: ['external'] })], modules: ruled('allow') });
    expect(await rulingOn('probe')).toMatch(/^ask/);
    expect(await rulingOn('send', { isTainted: true })).toMatch(/^ask/);
    expect(await rulingOn('send')).toBe('allow');
  });

  test('a failing rule denies', async () => {
    world = await createWorld({ tools: [fakeTool('probe')], modules: ruled(new Error('oops')) });
    expect(await rulingOn('probe')).toMatch(/^deny: .*rule-0.*plugin 'rules'.*oops/);
  });

  test('arguments edited by the user run unless a rule denies them', async () => {
    const decide = ({ args }: ToolCall) => (args['a'] === 'bad' ? { verdict: 'deny', reason: 'Not that.' } : { verdict: 'ask', reason: 'Who knows.' });
    world = await createWorld({
      tools: [command],
      modules: { rules: { register: (registry: any) => registry.add('approval_rule', { name: 'one', decide }) } },
    });
    for (const [a, answer] of [
      ['good', { args: { a: 'good' }, editedBy: 'user' }],
      ['bad', { deny: expect.stringContaining('Not that.') }],
    ] as const) {
      const answered = world.authorize(world.toolCall('probe', { a: 1 }));
      const approval = await world.asked(answered);
      await world.kernel.resolve('approvals').decide(approval?.approvalId ?? '', { decision: 'edit', args: { a } });
      expect(await answered).toMatchObject(answer);
    }
  });

  test('a rule requires a unique name and a function', async () => {
    const add = (rule: object): any => ({ register: (registry: any) => registry.add('approval_rule', rule) });
    const decide = (): undefined => undefined;
    world = await createWorld({
      modules: { a: add({ name: 'same', decide }), b: add({ name: 'same', decide }), c: add({ name: '', decide }), d: add({ name: 'd' }) },
    });
    const reasons = world.report.plugins.filter((one) => one.state === 'failed').map((one) => one.reason);
    expect(reasons).toEqual([
      expect.stringContaining("contributed by plugin 'a'; rename the rule of plugin 'b'"),
      expect.stringContaining('needs a name'),
      expect.stringContaining('function decide'),
    ]);
  });
});
