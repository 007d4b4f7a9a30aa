// Tests one SIGKILL during a turn and the next start: acknowledged data of every store is complete and unique. Other moments: test/soak/kills.
import { readdir, readFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openEventStream, runTurn } from '../../helpers/event-stream.ts';
import { openServerEvents } from '../../helpers/server-events.ts';
import { isOfTurn, startScriptedModel, type ScriptedModel } from '../../helpers/scripted-model.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';
import { addCountingTool } from '../../soak/kills/crash-bench.ts';
import { createCrashRecord, findRunTwice } from '../../soak/kills/crash-record.ts';

const record = createCrashRecord();
const planner = `export function register(registry) {
  registry.add('job', { name: 'far-away', when: { everyMs: 86_400_000 }, run: async () => {} });
}`;
let place: string;
let home: string;
let workspace: string;
let model: ScriptedModel;
let server: ServerProcess;
const call = async (method: string, path: string, body?: unknown): Promise<any> => {
  const reply = await server.call(method, path, body);
  expect(reply.status, `${method} ${path}: ${JSON.stringify(reply.body)}`).toBeLessThan(300);
  return reply.body;
};
const start = async (): Promise<void> => {
  const environment = {
    ...model.environment,
    AGENT_YOLO: '1',
    AGENT_BUDGET_USD_PER_DAY: '0.2',
    AGENT_MAX_COMPLETION_TOKENS: '1600',
    AGENT_EFFECT_PREVIEW: '0',
  };
  server = await startServerProcess({ home, workspace, environment });
  while ((await server.call('GET', '/api/config')).status === 503);
};
const text = (path: string): Promise<string> => readFile(path, 'utf8');
const dayBudget = async (): Promise<any> => (await call('GET', '/api/usage')).caps.find(({ name }: { name: string }) => name === 'day');

async function readStores(): Promise<any> {
  const { notes } = await call('GET', '/api/memory?show=active&limit=500');
  const { bootstrap, ...persona } = await call('GET', '/api/persona');
  const { fields } = await call('GET', '/api/settings');
  return {
    notes: notes.map(({ key, value, revision }: any) => [key, value, revision]).sort(),
    plan: await call('GET', '/api/plan'),
    persona: { ...persona, bootstrap: bootstrap.state },
    voice: (await call('GET', '/api/persona/slices/voice/history')).versions,
    rounds: fields.find(({ key }: any) => key === 'AGENT_MAX_ROUNDS').value,
    devices: (await call('GET', '/api/pair/devices')).devices.map(({ id, name, role }: any) => ({ id, name, role })),
    prompts: (await call('GET', '/api/prompts')).templates,
  };
}

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'one-kill-'));
  [home, workspace] = [join(place, 'home'), join(place, 'work')];
  await mkdir(workspace);
  await addCountingTool(home);
  await writeFile(join(home, 'plugins/planner.mjs'), planner);
  await writeFile(join(workspace, 'mine.txt'), 'by hand\n');
  model = await startScriptedModel();
  model.listModels(() => ({ body: { data: [{ id: 'scripted', pricing: { prompt: '0', completion: '0.0001' } }] } }));
  await start();
});
afterAll(async () => {
  await server.stop('SIGKILL');
  await model.close();
  await rm(place, { recursive: true, force: true });
});

test('keeps acknowledged data complete and unique across a kill', async () => {
  const stream = await openServerEvents(`${server.url}/api/stream?chatId=all`, { authorization: `Bearer ${server.token}` }, record.saw);
  await stream.until(({ kind }) => kind === 'connected');
  const follow = await openEventStream(server, { chatId: 'all' });
  await call('POST', '/api/persona/bootstrap', { input: 'Dry and brief.' });
  await follow.until((event) => event.kind === 'persona_progress' && event['stage'] === 'done');
  await call('PUT', '/api/persona/slices/voice', { text: 'Like rain.', base: 1 });
  await call('PUT', '/api/settings', { harness: { env: { AGENT_MAX_ROUNDS: '17' } } });
  const { code } = await call('POST', '/api/pair/begin', {});
  await call('POST', '/api/pair', { code, deviceName: 'Phone' });
  await call('PUT', '/api/prompts/tidy', { text: 'Tidy $1.', isNew: true });
  const write = (path: string, content: string) => ({ name: 'write_file', args: { path, content, mode: path === 'mine.txt' ? 'overwrite' : 'create' } });
  model.push(
    {
      toolCalls: [
        write('mine.txt', 'by the agent\n'),
        { name: 'remember', args: { key: 'boat', value: 'Albatross' } },
        { name: 'update_plan', args: { items: [{ text: 'Sail', status: 'active' }] } },
        { name: 'count', args: { size: 1 } },
      ],
      usage: { input: 10, output: 5, cost: 0.01 },
      when: isOfTurn,
    },
    { text: 'All done.', usage: { input: 10, output: 5, cost: 0.02 }, when: isOfTurn },
  );
  const first = await runTurn(server as never, 'Work.');
  expect(first.end).toMatchObject({ reason: 'done', tools: 4 });
  const before = await readStores();
  expect(before).toMatchObject({ notes: [['boat', 'Albatross', expect.any(Number)]], rounds: 17, persona: { revision: 2 } });
  expect([before.devices, before.plan.items, before.voice]).toMatchObject([[{ name: 'Phone' }], [{ text: 'Sail' }], [{}, {}]]);
  expect(await dayBudget()).toMatchObject({ spent: expect.closeTo(0.03, 9) });
  const schedule = await vi.waitFor(async () => JSON.parse(await text(join(home, 'schedule.json'))), 30_000);
  expect(schedule['far-away'].dueAt).toBeGreaterThan(Date.now());

  model.push(
    { toolCalls: [write('mine.txt', 'half done\n'), { name: 'count', args: { size: 1 } }], usage: false, when: isOfTurn },
    { text: ['One', 'two'], stallAfter: 1, when: isOfTurn },
  );
  const sent = await call('POST', '/api/message', { text: 'And more.' });
  record.accepted(sent);
  const queued = await call('POST', '/api/message', { text: 'Then this.', whenBusy: 'queue' });
  record.accepted(queued);
  await follow.until((event) => event.kind === 'text' && event['turnId'] === sent.turnId && event['delta'] === 'One');
  const held = (await dayBudget()).held;
  expect(held).toBeCloseTo(0.16, 9);
  const { spent } = await dayBudget();
  expect(await server.stop('SIGKILL')).toBe('SIGKILL');
  await stream.ended;

  await start();
  expect(await record.check(home)).toEqual([]);
  const counted = await findRunTwice(join(workspace, 'counted.txt'));
  expect(counted).toEqual({ total: 2, twice: [] });
  const journal = (await text(join(home, 'chats', sent.chatId, 'session.jsonl'))).trimEnd().split('\n').map((line) => JSON.parse(line)); // prettier-ignore
  const reasons = journal.flatMap(({ kind, turnId, reason }) => (kind === 'turn_end' ? [[turnId, reason]] : []));
  expect(reasons).toEqual([[first.turnId, 'done'], [sent.turnId, 'interrupted'], [queued.turnId, 'interrupted']]); // prettier-ignore
  expect(await call('GET', '/api/status')).toMatchObject({ busy: false });
  expect(await readdir(join(home, 'running')).catch(() => [])).toEqual([]);
  expect(await readStores()).toEqual(before);
  expect(await dayBudget()).toMatchObject({ spent: expect.closeTo(spent + held, 9), held: 0 });
  expect(JSON.parse(await text(join(home, 'schedule.json')))['far-away'].dueAt).toBe(schedule['far-away'].dueAt);
  expect(await text(join(workspace, 'mine.txt'))).toBe('half done\n');
  expect(await call('POST', '/api/undo', { turnId: sent.turnId })).toMatchObject({ restored: ['mine.txt'], conflicts: [] });
  expect(await text(join(workspace, 'mine.txt'))).toBe('by the agent\n');
  expect(await call('POST', '/api/undo', { turnId: first.turnId })).toMatchObject({ restored: ['mine.txt'], conflicts: [], stateConflicts: [] });
  expect(await text(join(workspace, 'mine.txt'))).toBe('by hand\n');
  expect((await readStores()).notes).toEqual([]);
  const asked = model.requests.filter(isOfTurn).length;
  const after = await runTurn(server as never, 'Go on.');
  expect(JSON.stringify(after.events)).toContain('AGENT_BUDGET_USD_PER_DAY');
  expect(model.requests.filter(isOfTurn)).toHaveLength(asked);
  expect(await server.stop()).toBe(0);
});
