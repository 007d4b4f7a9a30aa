import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Turn } from 'agent-harness/plugins/agent';
import type { ModelMessage } from 'agent-harness/plugins/models';
import { openEventStream, runTurn } from '../../../helpers/event-stream.ts';
import { type Harness, type HarnessOptions, startHarness } from '../../../helpers/harness.ts';
import { type ScriptedModel, type ScriptedReply, type ScriptedRequest, startScriptedModel } from '../../../helpers/scripted-model.ts';
import { logTool, quiet, unpaired } from './long-chat.ts';
import { type AgentBench, createGate, useAgentBench } from '../../plugins/agent/agent-bench.ts';

const open = useAgentBench(() => quiet);
const own = (registry: any): void => registry.add('tool', logTool);
const limit = 6_000;
const environment = { AGENT_CONTEXT_TOKENS: String(limit), AGENT_FAST_MODEL: 'fast', AGENT_MAX_ROUNDS: '200' };
const digestText = 'Goals: read the log. Facts: the gate code is 7731-PLUM.';

const isHelper = ({ body }: ScriptedRequest): boolean => body.model === 'fast';
const chatRequests = (model: ScriptedModel): ScriptedRequest[] => model.requests.filter((request) => !isHelper(request));
const messagesOf = (request: ScriptedRequest | undefined): any[] => request?.body.messages ?? [];
const textOf = (request: ScriptedRequest | undefined): string => JSON.stringify(messagesOf(request));
const tokensOf = (request: ScriptedRequest | undefined): number => JSON.stringify(request?.body).length / 4;

function turnsOf(
  rounds: number,
  helper: (request: ScriptedRequest) => ScriptedReply = () => ({ text: digestText }),
): (request: ScriptedRequest) => ScriptedReply {
  let round = 0;
  return (request) => {
    if (isHelper(request)) return helper(request);
    const usage = { input: Math.round(tokensOf(request)), output: 20 };
    round++;
    if (round % (rounds + 1) === 0) return { text: `Answer ${round}.`, usage };
    return { toolCalls: [{ id: `call_r${round}`, name: 'read_log', args: { page: round + 10 } }], usage };
  };
}

async function openWithModel(
  script: Parameters<typeof startScriptedModel>[0],
  more: Record<string, string> = {},
): Promise<{ readonly bench: AgentBench; readonly model: ScriptedModel }> {
  const model = await startScriptedModel(script);
  return { model, bench: await open(own, { environment: { ...model.environment, ...environment, ...more } }) };
}

const optionsFor = (model: ScriptedModel): HarnessOptions => ({
  ...quiet,
  environment: { ...model.environment, ...environment },
  modules: { own: { manifest: { name: 'own' }, register: own } as never },
});

async function say(bench: AgentBench, text: string): Promise<void> {
  const { turnId } = (await bench.send(text)).body;
  expect(await bench.ended(turnId)).toMatchObject({ reason: 'done' });
}

const eventsOf = (bench: AgentBench, kind: string): any[] => bench.stream.events.filter((event) => event.kind === kind);
const headFile = async (bench: Pick<Harness, 'kernel'>): Promise<string> => {
  const chats = bench.kernel.resolve('chats');
  return join(chats.folder((await chats.active()).chatId), 'context.json');
};

test('keeps all user messages after compressions across turns', async () => {
  const { bench, model } = await openWithModel(turnsOf(4));
  for (let turn = 1; turn <= 12; turn++) await say(bench, `Wish number ${turn}: always use variant ${turn * 7}.`);
  expect(eventsOf(bench, 'context_compressed').length).toBeGreaterThanOrEqual(2);
  const last = chatRequests(model).at(-1);
  const wishes = messagesOf(last).flatMap(({ role, content }: any) => (role === 'user' ? content.split('\n\n') : []));
  for (let turn = 1; turn <= 12; turn++) expect(wishes).toContain(`Wish number ${turn}: always use variant ${turn * 7}.`);
  expect(model.requests.flatMap(unpaired)).toEqual([]);
  expect(Math.max(...chatRequests(model).map(tokensOf))).toBeLessThan(0.75 * limit);
});

test('sends the same compressed beginning after a restart, and rebuilds it when its file is lost', async () => {
  const model = await startScriptedModel(turnsOf(8));
  const options = optionsFor(model);
  const first = await startHarness(options);
  const kept = { ...options, home: first.home, workspace: first.workspace };
  for (let turn = 0; turn < 3; turn++) await runTurn(first, `Wish ${turn}`);
  const path = await headFile(first);
  const before = textOf(chatRequests(model).at(-1)).slice(0, -1);
  await first.close({ keepFiles: true });
  const second = await startHarness(kept);
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ version: 2 });
  const count = chatRequests(model).length;
  await runTurn(second, 'go on');
  expect(textOf(chatRequests(model)[count]).startsWith(before)).toBe(true);
  await second.close({ keepFiles: true });

  await rm(path);
  const third = await startHarness(kept);
  const stream = await openEventStream(third, { chatId: 'all' });
  const later = chatRequests(model).length;
  await runTurn(third, 'and on');
  expect(tokensOf(chatRequests(model)[later])).toBeLessThan(0.75 * limit);
  expect(textOf(chatRequests(model)[later])).toContain('Wish 0');
  expect(stream.events.some((event) => event.kind === 'context_compressed')).toBe(true);
});

test.each([
  ['another conversation', (saved: object) => JSON.stringify({ ...saved, fingerprint: 'f'.repeat(64) })],
  ['another schema', (saved: object) => JSON.stringify({ ...saved, messages: 'FORGED' })],
  ['invalid JSON', () => '{"FORGED'],
])('ignores a context file with %s', async (_, change) => {
  const model = await startScriptedModel(turnsOf(20));
  const options = optionsFor(model);
  const first = await startHarness(options);
  await runTurn(first, 'Wish one');
  const path = await headFile(first);
  await first.close({ keepFiles: true });
  const saved = (await readFile(path, 'utf8')).replace('Earlier rounds', 'FORGED');
  await writeFile(path, change(JSON.parse(saved)));
  const second = await startHarness({ ...options, home: first.home, workspace: first.workspace });
  const count = chatRequests(model).length;
  await runTurn(second, 'go on');
  expect(textOf(chatRequests(model)[count])).toContain('Wish one');
  expect(textOf(chatRequests(model)[count])).not.toContain('FORGED');
});

test('a reset removes the compressed beginning', async () => {
  const { bench, model } = await openWithModel(turnsOf(10));
  await say(bench, 'Wish one');
  await say(bench, 'Wish two');
  const path = await headFile(bench);
  await readFile(path);
  expect((await bench.call('POST', '/api/session/reset', { mode: 'soft' })).status).toBe(200);
  await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
  const count = chatRequests(model).length;
  await say(bench, 'Something new');
  expect(textOf(chatRequests(model)[count])).not.toContain('Wish');
});

test('with AGENT_COMPRESS_SEMANTIC=1 the fast model writes a digest that continues the previous one', async () => {
  let written = 0;
  const helper = (request: ScriptedRequest): ScriptedReply => {
    if (written > 0) expect(textOf(request)).toContain('gate code is 7731-PLUM');
    return { text: `${digestText} Account ${++written}.` };
  };
  const { bench, model } = await openWithModel(turnsOf(70, helper), { AGENT_COMPRESS_SEMANTIC: '1' });
  await say(bench, 'Read the log.');
  expect(written).toBeGreaterThanOrEqual(2);
  expect(textOf(chatRequests(model).at(-1))).toContain(`7731-PLUM. Account ${written}.`);
  expect(eventsOf(bench, 'usage').filter((event) => event.purpose === 'compress')).toHaveLength(written);
  expect(model.requests.flatMap(unpaired)).toEqual([]);
});

test('without AGENT_COMPRESS_SEMANTIC the fast model receives no request', async () => {
  const { bench, model } = await openWithModel(turnsOf(40));
  await say(bench, 'Read the log.');
  expect(eventsOf(bench, 'context_compressed').length).toBeGreaterThanOrEqual(1);
  expect(model.requests.filter(isHelper)).toEqual([]);
  expect(textOf(chatRequests(model).at(-1))).toContain('read_log(');
});

test('lists the calls in place of a failed digest', async () => {
  const { bench, model } = await openWithModel(
    turnsOf(40, () => ({ status: 400, body: { error: { message: 'no' } } })),
    { AGENT_COMPRESS_SEMANTIC: '1' },
  );
  await say(bench, 'Read the log.');
  expect(eventsOf(bench, 'context_compressed').length).toBeGreaterThanOrEqual(1);
  expect(textOf(chatRequests(model).at(-1))).toContain('read_log(');
  expect(bench.logs.join('\n')).toContain('the digest could not be written');
});

test('answers a message without waiting for the digest', async () => {
  const { open: release, opened: held } = createGate();
  const { bench, model } = await openWithModel(
    turnsOf(0, () => ({ text: digestText, until: held })),
    { AGENT_COMPRESS_SEMANTIC: '1' },
  );
  // Each turn is one request. The turn that crosses the limit ends while the digest is held back.
  for (let turn = 0; model.requests.every((request) => !isHelper(request)); turn++) await say(bench, `Note ${turn}: ${'word '.repeat(140)}`);
  expect(eventsOf(bench, 'context_compressed')).toEqual([]);
  release();
  await bench.stream.until((event) => event.kind === 'usage' && event['purpose'] === 'compress');
  await say(bench, 'What next?');
  expect(eventsOf(bench, 'context_compressed')).toHaveLength(1);
  expect(textOf(chatRequests(model).at(-1))).toContain('7731-PLUM');
});

test('/compact shortens the chat before the next request', async () => {
  const { bench, model } = await openWithModel(turnsOf(6));
  await say(bench, 'Read the log.');
  const before = tokensOf(chatRequests(model).at(-1));
  expect(eventsOf(bench, 'context_compressed')).toEqual([]);
  await say(bench, '/compact');
  expect(bench.stream.text()).toContain('shortened before the next request');
  await say(bench, 'And now?');
  expect(eventsOf(bench, 'context_compressed')).toHaveLength(1);
  expect(tokensOf(chatRequests(model)[7])).toBeLessThan(before * 0.7);
});

test('/compact between turns shortens the chat immediately, and /api/context reports it', async () => {
  const { bench, model } = await openWithModel(turnsOf(6));
  const { chatId } = await bench.kernel.resolve('chats').active();
  const context = async () => (await bench.call('GET', `/api/context?chatId=${chatId}`)).body;
  expect(Object.keys((await context()).parts)).toEqual(['tools', 'conversation']);
  await say(bench, 'Read the log.');
  const before = await context();
  const { system, tools, memory, conversation } = before.parts;
  expect(system + tools + memory + conversation).toBe(before.used);
  expect(before.limit).toBe(limit);
  expect(before.compactsTo).toBeLessThan(before.used);
  // The provider's token count plus the later answer.
  expect(Math.abs(before.used - tokensOf(chatRequests(model).at(-1)))).toBeLessThan(0.25 * before.used);
  const { status, body } = await bench.call('POST', '/api/commands', { name: 'compact', chatId });
  expect({ status, text: body.text }).toEqual({
    status: 200,
    text: expect.stringMatching(/^The older part of this chat was shortened: .* tokens instead of/),
  });
  const after = await context();
  expect(after.used).toBeLessThan(before.used);
  expect(Math.abs(after.used - before.compactsTo)).toBeLessThan(100);
  const [event] = await vi.waitUntil(() => eventsOf(bench, 'context_compressed').length > 0 && eventsOf(bench, 'context_compressed'));
  expect(event).not.toHaveProperty('turnId');
  await say(bench, 'And now?');
  expect(tokensOf(chatRequests(model)[7])).toBeLessThan(tokensOf(chatRequests(model)[6]));
  expect(eventsOf(bench, 'context_compressed')).toHaveLength(1);
});

test('/compact reports nothing to shorten in a short chat', async () => {
  const { bench } = await openWithModel(turnsOf(0));
  await say(bench, 'Hello.');
  expect((await bench.call('GET', '/api/context')).body).not.toHaveProperty('compactsTo');
  expect((await bench.call('POST', '/api/commands', { name: 'compact' })).body.text).toContain('Nothing can be shortened yet');
});

test('shortens a very long message and stores its full text', async () => {
  const { bench, model } = await openWithModel(turnsOf(20));
  const text = `Begin ${'lorem ipsum '.repeat(700)} middle-of-it ${'dolor sit '.repeat(300)} end.`;
  await say(bench, text);
  const shown = messagesOf(chatRequests(model).at(-1)).find((message) => message.role === 'user').content as string;
  expect(shown.length).toBeLessThan(5_000);
  expect(shown.startsWith('Begin ') && shown.endsWith(' end.')).toBe(true);
  const [id = ''] = /[0-9a-f]{64}/.exec(shown) ?? [];
  expect((await bench.call('GET', `/api/artifacts/${id}`)).body).toBe(text);
});

test('stores the full text of all compressed rounds as linked artifacts', async () => {
  const { bench, model } = await openWithModel(turnsOf(60));
  await say(bench, 'Read the log.');
  expect(eventsOf(bench, 'context_compressed').length).toBeGreaterThanOrEqual(2);
  const reading = messagesOf(chatRequests(model).at(-1)).find((message) => message.tool_calls?.[0]?.function.name === 'read_artifact');
  let id: string | undefined = JSON.parse(reading.tool_calls[0].function.arguments).id;
  let all = '';
  while (id !== undefined) {
    const text = (await bench.call('GET', `/api/artifacts/${id}`)).body as string;
    all = text + all;
    id = /^What came before: artifact "([0-9a-f]{64})"/.exec(text)?.[1];
  }
  for (let page = 11; page <= 40; page++) expect(all).toContain(`page ${page} of the log`);
});

test('emits context notices at 60 and 85 percent of AGENT_CONTEXT_TOKENS', async () => {
  const { bench } = await openWithModel(turnsOf(0), { AGENT_CONTEXT_TOKENS: '' });
  await say(bench, 'word '.repeat(2_000));
  expect(eventsOf(bench, 'context_notice')).toEqual([]);
  await bench.kernel.control.setPreferences({ AGENT_CONTEXT_TOKENS: '4000' });
  await say(bench, 'word '.repeat(2_000));
  expect(eventsOf(bench, 'context_notice').map(({ used, limit: of }) => [used > 0.6 * of, of])).toEqual([[true, 4_000]]);
  await say(bench, 'word '.repeat(3_000));
  expect(
    eventsOf(bench, 'context_notice')
      .map(({ used, limit: of }) => [used > 0.85 * of, of])
      .at(-1),
  ).toEqual([true, 4_000]);
});

test('compresses the conversation of a sub-agent separately, without chat events or files', async () => {
  const { bench } = await openWithModel(turnsOf(0));
  await say(bench, 'Hello.');
  const { chatId } = await bench.kernel.resolve('chats').active();
  const messages = Array.from({ length: 60 }, (_, round): ModelMessage[] => [
    { role: 'assistant', text: '', toolCalls: [{ id: `sub_${round}`, name: 'read_log', argsText: '{}' }] },
    { role: 'tool', callId: `sub_${round}`, name: 'read_log', text: 'row '.repeat(100), isError: false },
  ]).flat();
  const turn = { chatId, turnId: 'turn_sub', isRoot: false, round: 61, signal: new AbortController().signal } as Turn;
  const prompt = await bench.emitter.call('prompt.build', [{ system: [], messages: [{ role: 'user', text: 'look' }, ...messages], tail: [] }, turn]);
  expect(prompt.messages.length).toBeLessThan(messages.length);
  expect(prompt.messages[0]).toEqual({ role: 'user', text: 'look' });
  await expect(readFile(await headFile(bench))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(eventsOf(bench, 'context_notice')).toEqual([]);
  const own = await bench.emitter.call('prompt.build', [
    { system: [], messages: [{ role: 'user', text: 'Hello.' }], tail: [] },
    { ...turn, isRoot: true },
  ]);
  expect(own.messages).toEqual([{ role: 'user', text: 'Hello.' }]);
});
