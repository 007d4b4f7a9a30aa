import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommandLine } from '../../../helpers/command-line.ts';
import { closedGate, type DreamState } from '../../../../builtins/background/dream/dream-gates.ts';
import { manifest, register } from '../../../../builtins/background/dream/index.ts';
import { startDreams, upsert, type DreamWorld } from './dream-world.ts';

let world: DreamWorld | undefined;

const hour = 3_600_000;
const now = 1_000_000 * hour;
const parts = { isOn: true, isRoot: true, minHours: 24, minSessions: 5, scanIntervalMs: 600_000 };
const gate = (state: DreamState, change: Partial<typeof parts> = {}, sessions = 5): string | undefined =>
  closedGate(now, { ...parts, ...change }, state, sessions)?.gate;

test('checks the gates in order', () => {
  const state = { lastRunAt: now - hour, outcome: 'accepted', scannedAt: now } as const;
  expect(gate(state, { isOn: false, isRoot: false }, 0)).toBe('enabled');
  expect(gate({ ...state, stoppedAt: now }, { isRoot: false }, 0)).toBe('enabled');
  expect(gate(state, { isRoot: false }, 0)).toBe('root');
  expect(gate(state, {}, 0)).toBe('hours');
  expect(gate({ ...state, lastRunAt: now - 24 * hour }, {}, 4)).toBe('sessions');
  expect(gate({ ...state, lastRunAt: now - 24 * hour })).toBe('scan');
  expect(gate({ ...state, lastRunAt: now - 24 * hour, scannedAt: now - 600_000 })).toBeUndefined();
  expect(gate({})).toBeUndefined();
});

test('allows a retry an hour after a failed or empty run, and a day after a crashed one', () => {
  for (const outcome of ['failed', 'nothing'] as const) {
    expect(gate({ lastRunAt: now - hour + 1, outcome }, { minHours: 0 })).toBe('hours');
    expect(gate({ lastRunAt: now - hour, outcome })).toBeUndefined();
  }
  expect(gate({ lastRunAt: now - 24 * hour + 1, outcome: 'running' })).toBe('hours');
  expect(gate({ lastRunAt: now - hour + 1, outcome: 'running' }, { minHours: 0 })).toBe('hours');
  expect(gate({ lastRunAt: now - 24 * hour, outcome: 'running' })).toBeUndefined();
});

test('random clocks and crashes: runs are an hour apart, and a day after a successful or crashed one', () => {
  let dice = 7;
  const roll = (sides: number): number => (dice = (dice * 1_103_515_245 + 12_345) % 2_147_483_648) % sides;
  for (let life = 0; life < 200; life++) {
    let state: DreamState = {};
    let clock = now;
    let began = -Infinity;
    for (let step = 0; step < 200; step++) {
      clock += roll(3 * hour);
      if (closedGate(clock, parts, state, 9)) continue;
      expect(clock - began).toBeGreaterThanOrEqual(state.outcome === 'failed' || state.outcome === 'nothing' ? hour : 24 * hour);
      began = clock;
      state = { lastRunAt: clock, outcome: (['running', 'accepted', 'nothing', 'failed'] as const)[roll(4)]! };
    }
  }
});

test('starts by itself in an idle chat, and not again within an hour of an empty run', async () => {
  const environment = { AGENT_AUTO_DREAM: '1', AGENT_AUTO_DREAM_MIN_SESSIONS: '1', AGENT_AUTO_DREAM_MIN_HOURS: '0', AGENT_AUTO_DREAM_SCAN_INTERVAL_MS: '0' };
  const quick = { manifest, register: (registry: never, emitter: never) => register(registry, emitter, 20) };
  world = await startDreams({ environment, builtins: ['memory', 'evidence-gates', 'model-chat-completions'], modules: { dream: quick as never } });
  const { kernel } = world.harness;
  const closed: string[] = [];
  kernel.emitter.on('dream_gate', ({ gate: one }) => closed.push(one));
  world.answers(() => ({ text: JSON.stringify({ summary: '', upserts: [] }) }));
  await world.chat('I use Helix for everything.');
  await expect.poll(async () => (await world!.runs())[0], { timeout: 10_000 }).toMatchObject({ asked: 'idle', state: 'done' });
  // The next idle period follows the next turn. The empty run blocks it for an hour.
  await world.chat('Hello.');
  await expect.poll(() => closed.at(-1), { timeout: 10_000 }).toBe('hours');
  expect(world.asked()).toHaveLength(1);
});

test('three empty runs turn dreams off until a person turns them on again', async () => {
  world = await startDreams();
  await world.call('PUT', '/api/settings', { harness: { env: { AGENT_AUTO_DREAM: '1' } } });
  const stopped: unknown[] = [];
  world.harness.kernel.emitter.on('dream_stopped', (event) => stopped.push(event));
  await world.chat('Hello.');
  for (let run = 0; run < 3; run++) await world.run();
  expect(stopped).toMatchObject([{ runs: 3 }]);
  const next = async () => (await world?.call('GET', '/api/dreams'))?.body.next;
  expect(await next()).toMatchObject({ gate: 'enabled' });
  await world.call('PUT', '/api/settings', { harness: { env: { AGENT_AUTO_DREAM: '0' } } });
  await expect.poll(async () => (await next()).why).toContain('Dreams are off.');
  await world.call('PUT', '/api/settings', { harness: { env: { AGENT_AUTO_DREAM: '1' } } });
  await expect.poll(next).toMatchObject({ gate: 'hours' });
});

test('a model error fails the run and does not count as an empty run', async () => {
  world = await startDreams();
  await world.chat('Hello.');
  for (let run = 0; run < 3; run++) {
    world.answers(() => ({ status: 401 }));
    expect((await world.run()).run).toMatchObject({ state: 'failed', failure: { reason: 'model' } });
  }
  expect((await world.call('GET', '/api/dreams')).body.next.why).toContain('Dreams are off.');
});

test('limits the text to the configured caps, from the ends of the newest chats', async () => {
  const environment = { AGENT_AUTO_DREAM_MAX_SESSION_FILES: '2', AGENT_AUTO_DREAM_MAX_CHARS_PER_SESSION: '500', AGENT_AUTO_DREAM_MAX_TOTAL_CHARS: '2000' };
  world = await startDreams({ environment });
  for (const name of ['first', 'second', 'third']) await world.chat(`begin-${name} ${'x'.repeat(3_000)} end-${name}`);
  const { run } = await world.run();
  const [asked] = world.asked();
  for (const one of ['end-second', 'end-third']) expect(asked).toContain(one);
  for (const one of ['first', 'begin-']) expect(asked).not.toContain(one);
  expect(run.sessions.map(({ characters }: any) => characters <= 500)).toEqual([true, true]);
});

test('the lock of another process blocks runs and undo, but not if it is old or its process is dead', async () => {
  world = await startDreams();
  const chatId = await world.chat('I use Helix for everything.');
  const [editor] = await world.said(chatId);
  world.answers({ upserts: [upsert(chatId, editor, { value: 'The user uses Helix for everything.' })] });
  await world.run();
  const lock = (pid: number, age: number) =>
    writeFile(join(world!.harness.home, 'dreams', 'lock.json'), JSON.stringify({ pid, at: Date.now() - age, id: 'lock_other' }));
  await lock(process.ppid, 0);
  expect((await world.run()).next).toMatchObject({ gate: 'lock' });
  expect((await world.call('POST', '/api/dreams/undo', {})).body.error.code).toBe('in_progress');
  await lock(process.ppid, 3_600_001);
  expect((await world.run()).run.state).toBe('done');
  await lock(2 ** 22 + 1, 0);
  expect((await world.undo()).run.state).toBe('undone');
  expect((await world.call('POST', '/api/dreams/undo', { runId: 'nothing' })).body.error.code).toBe('not_found');
});

test('/dream shows the status, starts a run, prints a report and undoes a run', async () => {
  world = await startDreams();
  const { place, harness } = world;
  const slash = (args: string) => harness.kernel.resolve('commands').runSlash('dream', { ...place, args });
  expect(await slash('')).toContain('There are no dream runs yet.');
  const chatId = await world.chat('I use Helix for everything.');
  const [editor] = await world.said(chatId);
  world.answers({ upserts: [upsert(chatId, editor, { value: 'The user uses Helix for everything.' })] });
  expect(await slash('run')).toContain('1 stored');
  expect(await slash('report')).toContain(`“I use Helix for everything.” (user, ${chatId}`);
  expect(await slash('undo')).toContain('Undone: 1.');
  expect(await slash('sleep')).toContain('Unknown arguments.');
});

test('the dream command does the same in a terminal, with an exit code', async () => {
  world = await startDreams();
  const chatId = await world.chat('I use Helix for everything.');
  const [editor] = await world.said(chatId);
  const { harness } = world;
  const run = async (...words: string[]): Promise<readonly [code: number, out: string, err: string]> => {
    const { code, stdout, stderr } = await runCommandLine(harness.kernel, ['dream', ...words]);
    expect(stdout + stderr).toMatch(/\n$/);
    return [code, stdout, stderr];
  };
  expect(await run('report')).toEqual([1, '', expect.stringContaining('The run was not found.')]);
  world.answers({ upserts: [upsert(chatId, editor, { value: 'The user uses Helix for everything.' })] });
  expect(await run('run')).toEqual([0, expect.stringContaining('1 stored'), '']);
  expect(await run()).toEqual([0, expect.stringMatching(/^Dreams are off\. .*AGENT_AUTO_DREAM=1\.\ndream_/), '']);
  expect(await run('report')).toEqual([0, expect.stringContaining('“I use Helix for everything.”'), '']);
  expect(await run('undo')).toEqual([0, expect.stringContaining('Undone: 1.'), '']);
  expect(await run('undo', 'nothing')).toEqual([1, '', expect.stringContaining("Dream run 'nothing' was not found")]);
  expect((await run('sleep'))[0]).toBe(2);
});
