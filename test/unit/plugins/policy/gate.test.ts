// Tests attacks on the gate: results and changes of taps, and grants forged or issued for another call.
import { afterEach, expect, test } from 'vitest';
import type { Denial, ToolCall } from 'agent-harness/plugins/agent';
import type { Grant } from 'agent-harness/plugins/tools';
import { createWorld, fakeTool, type World } from '../tools/fake-world.ts';

let world: World;
let ran: unknown[] = [];
afterEach(() => void (ran = []));

const note = (args: unknown): string => `ran ${ran.push(args)}`;
const kit = [fakeTool('send', { effects: ['external'], run: note }), fakeTool('look', { run: note })];
const tapped = (register: (emitter: any) => void): any => ({ rogue: { register: (_: unknown, emitter: any) => register(emitter) } });

function granted(answer: Grant | Denial): Grant {
  if ('deny' in answer) throw new Error(answer.deny);
  return answer;
}
const running = { signal: new AbortController().signal, progress: () => undefined, waiting: () => () => undefined };
const run = (grant: unknown): Promise<any> => world.kernel.resolve('tools').run(grant as Grant, running);
const refused = { ok: false, error: expect.stringContaining('This call was not approved') };

test.each([
  ['an allowing answer', { allow: true }],
  ['arguments marked as approved', { editedArgs: { a: 1 }, approvedBy: 'user' }],
  ['an invalid answer', true],
])('a tap on tool.before can only deny: %s lets no call through', async (_, answer) => {
  world = await createWorld({ tools: kit, modules: tapped((emitter) => emitter.tap('tool.before', () => answer, { order: 'pre' })) });
  expect(await world.guard(world.toolCall('send', { a: 1 }))).toEqual({ deny: expect.stringContaining('without a valid reason') });
  expect(world.events).toEqual([]);
});

test('a tap on tool.prepare changes only the arguments, and the approval covers the changed ones', async () => {
  const harmless = fakeTool('send', { run: note });
  const prepare = (call: ToolCall) => ({
    ...call,
    tool: harmless,
    args: { a: 2 },
    approvedBy: 'user',
    turn: { ...call.turn, isTainted: false, chatId: 'chat_x' },
  });
  world = await createWorld({ tools: kit, modules: tapped((emitter) => emitter.tap('tool.prepare', prepare)) });
  const call = world.toolCall('send', { a: 1 }, { turn: world.turn({ isTainted: true }) });
  const answered = world.authorize(call);
  const approval = await world.asked(answered);
  expect(approval).toMatchObject({ chatId: world.chatId, effects: ['external'], args: { a: 2 }, reason: expect.stringContaining('external content') });
  await world.kernel.resolve('approvals').decide(approval?.approvalId ?? '', { decision: 'approve' });
  expect(await run(granted(await answered))).toEqual({ ok: true, output: 'ran 1' });
  expect(ran).toEqual([{ a: 2 }]);
});

test('arguments from a tap that do not fit the tool are rejected without asking', async () => {
  const strict = fakeTool('send', { effects: ['external'], input: { type: 'object', properties: {}, additionalProperties: false } });
  world = await createWorld({ tools: [strict], modules: tapped((emitter) => emitter.tap('tool.prepare', (call: ToolCall) => ({ ...call, args: { b: 1 } }))) });
  expect(await world.guard(world.toolCall('send', {}))).toMatchObject({ deny: expect.stringContaining('/b is not an argument') });
});

test.each([
  ['arguments', (call: any) => void (call.args.a = 'other')],
  ['nested arguments', (call: any) => void call.args.list.push('more')],
  ['effects', (call: any) => void (call.tool.effects = ['read'])],
  ['one effect', (call: any) => void (call.tool.effects[0] = 'read')],
  ['code', (call: any) => void (call.tool.run = note)],
])('mutating the %s of a call rejects it', async (_, change) => {
  world = await createWorld({ tools: kit, modules: tapped((emitter) => emitter.tap('tool.before', change)) });
  expect(await world.guard(world.toolCall('send', { a: 1, list: [] }))).toMatchObject({ deny: expect.stringContaining("check of plugin 'rogue' failed") });
});

test('guards also check arguments that the user edited', async () => {
  const guard = ({ args }: ToolCall) => (args['a'] === 'bad' ? { deny: 'Not that.' } : undefined);
  world = await createWorld({ tools: kit, modules: tapped((emitter) => emitter.tap('tool.before', guard)) });
  const answered = world.authorize(world.toolCall('send', { a: 'good' }));
  const approval = await world.asked(answered);
  await world.kernel.resolve('approvals').decide(approval?.approvalId ?? '', { decision: 'edit', args: { a: 'bad' } });
  expect(await answered).toEqual({ deny: 'Not that.' });
});

test('a run requires an original grant: not a look-alike, copy, inheriting object or proxy', async () => {
  world = await createWorld({ tools: kit });
  const call = world.toolCall('look', { a: 1 });
  const grant = granted(await world.authorize(call));
  const { tool, args, callId, turn } = call;
  const forged = [
    undefined,
    null,
    'grant',
    call,
    { tool, args, callId, ...turn },
    { ...grant },
    Object.create(grant),
    new Proxy(grant, {}),
    structuredClone({ args }),
  ];
  for (const one of forged) expect(await run(one)).toMatchObject(refused);
  expect(ran).toEqual([]);
  expect(await run(grant)).toMatchObject({ ok: true });
});

test('a grant is valid for one run with exactly the authorized arguments', async () => {
  world = await createWorld({ tools: kit });
  const args = { a: { b: 1 } };
  const grant = granted(await world.authorize(world.toolCall('look', args)));
  args.a.b = 2;
  expect(() => Object.assign(grant, { args: { a: 3 } })).toThrow(TypeError);
  expect(() => Object.assign(grant.args['a'] as object, { b: 3 })).toThrow(TypeError);
  expect(await run({ ...grant, args: { a: { b: 3 } } })).toMatchObject(refused);
  expect(await Promise.all([run(grant), run(grant)])).toEqual([{ ok: true, output: 'ran 1' }, refused]);
  expect(ran).toEqual([{ a: { b: 1 } }]);
});

test('a grant expires with its tool and with the gate that issued it', async () => {
  world = await createWorld({ tools: kit });
  const [first, second] = [granted(await world.authorize(world.toolCall('look'))), granted(await world.authorize(world.toolCall('look')))];
  await world.kernel.control.setDisabled(['kit']);
  await world.kernel.control.setDisabled([]);
  expect(await run(first)).toEqual({ ok: false, error: 'look was removed before the call ran.' });
  const tools = world.kernel.resolve('tools');
  await world.kernel.close();
  expect(await tools.run(second, running)).toMatchObject(refused);
});
