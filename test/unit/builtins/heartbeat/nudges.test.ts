// Tests nudges on a real server: which are shown, feedback on them, and their deletion with the chat.
import { afterEach, expect, test } from 'vitest';
import { runCommandLine } from '../../../helpers/command-line.ts';
import { beats, startBeats, sure, thought, type BeatWorld } from './heartbeat-server.ts';

let world: BeatWorld;
afterEach(() => world.close());
const skips = (): string[] => world.events.flatMap(({ kind, payload }) => (kind === 'heartbeat_skipped' ? [payload.reason] : []));
const set = (environment: Record<string, string>): Promise<void> => world.harness.kernel.control.setPreferences(environment);

test('rejects invalid quiet hours with an example', async () => {
  world = await startBeats();
  const reply = await world.harness.call('PUT', '/api/settings', { harness: { env: { AGENT_HEARTBEAT_QUIET_HOURS: 'night' } } });
  expect(reply.status).toBe(400);
  expect(JSON.stringify(reply.body)).toContain('AGENT_HEARTBEAT_QUIET_HOURS must look like 22:00-07:00.');
});

test('muting ends with the day', async () => {
  world = await startBeats();
  world.clock.now = new Date(2026, 10, 23, 12).getTime();
  await world.harness.call('PUT', '/api/heartbeat/mute', { isMuted: true });
  expect((await world.view()).state).toBe('muted');
  world.clock.now = new Date(2026, 10, 24, 0, 1).getTime();
  expect((await world.view()).state).toBe('idle');
});

test('shows only confident nudges, up to the hourly limit, and none twice', async () => {
  const nudges = [
    { text: 'unsure', confidence: 0.85 },
    sure,
    sure,
    { text: 'b', confidence: 0.9 },
    { text: 'c', confidence: 0.9 },
    { text: 'd', confidence: 0.9 },
  ];
  world = await startBeats({ script: nudges.map((nudge) => beats(thought(nudge), { always: false })), environment: { AGENT_HEARTBEAT_SURFACE: 'assistant' } });
  for (const [at] of nudges.entries()) {
    await world.say(`message ${at}`);
    world.clock.pass(at === 5 ? 3_600_000 : 120_000);
    await world.quiet();
  }
  expect((await world.lines()).map(({ nudge }) => nudge.why ?? 'shown')).toEqual(['not_sure_enough', 'shown', 'said_before', 'shown', 'hour_limit', 'shown']);
  expect((await world.announcements()).map(({ text }) => text)).toEqual([sure.text, 'b', 'd']);
});

test('shows no nudge with a limit of 0 or the surface off, but logs the run', async () => {
  world = await startBeats({ environment: { AGENT_HEARTBEAT_MAX_USER_NUDGES_PER_HOUR: '0' } });
  await world.say('one');
  await world.beat();
  await set({ AGENT_HEARTBEAT_SURFACE: 'off' });
  await world.say('two');
  await world.beat();
  expect(await world.announcements()).toEqual([]);
  expect((await world.lines()).map(({ nudge }) => nudge.why)).toEqual(['hour_limit', 'surface_off']);
});

test('“less of this” raises the required confidence in its chat and can be undone', async () => {
  world = await startBeats({ environment: { AGENT_HEARTBEAT_SURFACE: 'assistant' } });
  const { chatId } = world;
  const less = (isLess: boolean): Promise<any> => world.harness.call('PUT', '/api/heartbeat/less', { chatId, isLess });
  expect((await less(true)).body).toEqual({ steps: 1 });
  expect((await less(true)).body).toEqual({ steps: 2 });
  await world.say('one');
  await world.beat();
  expect((await world.lines())[0].nudge).toMatchObject({ isShown: false, why: 'not_sure_enough' });
  expect((await world.view()).gate).toEqual({ least: 0.86, now: 0.965, steps: 2 });
  for (let more = 0; more < 5; more++) await less(true);
  expect((await world.view()).gate).toMatchObject({ now: null, steps: 4 });
  expect((await less(false)).body).toEqual({ steps: 0 });
  await world.say('two');
  await world.beat();
  expect((await world.announcements()).length).toBe(1);
});

test('counts feedback on a nudge for the day, and feedback can be withdrawn', async () => {
  world = await startBeats({ environment: { AGENT_HEARTBEAT_SURFACE: 'assistant' } });
  await world.say('one');
  await world.beat();
  const { runId } = (await world.view()).nudge.run;
  const answer = (value: string | null): Promise<any> => world.harness.call('PUT', `/api/heartbeat/nudges/${runId}`, { answer: value });
  await answer('dismissed');
  expect(await world.view()).toMatchObject({ today: { shown: 1, used: 0, dismissed: 1 } });
  expect((await world.view()).nudge).toBeUndefined();
  await answer('used');
  expect((await world.view()).today).toMatchObject({ used: 1, dismissed: 0 });
  await answer(null);
  expect(await world.view()).toMatchObject({ today: { used: 0, dismissed: 0 }, nudge: { run: { runId } } });
  expect((await world.harness.call('PUT', '/api/heartbeat/nudges/beat_x', { answer: 'used' })).status).toBe(404);
  const { body } = await world.harness.call('GET', '/api/heartbeat/runs');
  expect(body).toMatchObject({ runs: [{ runId, outcome: 'completed' }], days: [{ runs: 1, shown: 1 }] });
});

test('deletes all data of an erased chat, and cancels the pending run of a deleted one', async () => {
  world = await startBeats();
  const { chatId, harness } = world;
  await world.say('My cat is called Ada.');
  await world.beat();
  const { chatId: other } = (await harness.call('POST', '/api/chats', { workspaceMode: 'reuse', workspaceRoot: harness.workspace })).body;
  await world.say('Mine is called Bo.', other);
  await world.beat();
  await world.say('Waits', chatId);
  await harness.call('DELETE', `/api/chats/${chatId}`);
  expect(skips()).toEqual(['forgotten']);
  expect((await world.lines()).map((line) => line.chatId)).toEqual([chatId, other]);
  await harness.call('DELETE', `/api/chats/trash/${chatId}`);
  expect((await harness.call('GET', '/api/heartbeat/runs')).body.runs.map((run: any) => run.chatId)).toEqual([other]);
  expect((await world.lines()).map((line) => line.chatId)).toEqual([other]);
});

test('/heartbeat and the command show the status, and the command mutes the heartbeat', async () => {
  world = await startBeats({ environment: { AGENT_HEARTBEAT_SURFACE: 'assistant' } });
  const commands = world.harness.kernel.resolve('commands');
  const slash = (args: string): Promise<string> => commands.runSlash('heartbeat', { chatId: world.chatId, workspaceRoot: world.harness.workspace, args });
  const cli = async (...argv: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCommandLine(world.harness.kernel, ['heartbeat', ...argv]);
    return `${code} ${stdout}${stderr}`;
  };
  expect(await cli('runs')).toBe('0 The heartbeat has not run yet.\n');
  await world.say('Please plan the deploy.');
  expect(await slash('')).toContain('Now: Starts when the chat is idle.\nToday: nothing yet.');
  await world.beat();
  expect(await slash('')).toContain(`Nudge: ${sure.text} (after “Please plan the deploy.”)`);
  expect(await slash('less')).toContain('Nudges in this chat need a confidence of at least 93 %.');
  expect(await slash('more')).not.toContain('must be sure');
  expect(await slash('loud')).toBe("'loud' is not an option. Use mute, unmute, less or more.");
  expect(await cli()).toMatch(/^0 The heartbeat is on, and nudges appear as messages\.\nNow: idle\.\nToday: 1 run, 1 nudge: 0 used, 0 dismissed; /);
  expect(await cli('runs')).toMatch(/They deploy on Fridays\. Nudge: Nobody reviews it yet\.\n\n\d{4}-\d\d-\d\d: 1 run, 1 nudge/);
  expect(await cli('mute')).toContain('Now: Muted until tomorrow.');
  expect((await world.view()).state).toBe('muted');
  expect(JSON.parse((await cli('unmute', '--json')).slice(2)).state).toBe('idle');
  expect(await cli('loud')).toMatch(/^2 Unknown arguments\. Usage: 'heartbeat'/);
});
