// Tests that the built server ends its child processes on abort and on signals, in time and without leftovers.
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEventStream, type EventStream } from '../../helpers/event-stream.ts';
import { startScriptedModel, type ScriptedModel } from '../../helpers/scripted-model.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';

let model: ScriptedModel;
let home: string;
let workspace: string;
let server: ServerProcess;
beforeEach(async () => {
  model = await startScriptedModel();
  home = await mkdtemp(join(tmpdir(), 'owner-'));
  workspace = await mkdtemp(join(tmpdir(), 'owner-work-'));
});
afterEach(async () => {
  await server.stop('SIGKILL');
  await model.close();
  for (const folder of [home, workspace]) await rm(folder, { recursive: true, force: true });
});

function start(more: Record<string, string> = {}): Promise<ServerProcess> {
  return startServerProcess({ home, workspace, environment: { ...model.environment, AGENT_YOLO: '1', AGENT_WORKSPACE_ROOT: workspace, ...more } });
}

/** Shell command with a child and a grandchild that ignore SIGTERM and contain `mark` in their command lines. */
function stubborn(mark: string): string {
  const loop = `echo here >> begun; while :; do sleep 0.1; done; : ${mark}`;
  return `trap '' TERM; sh -c 'sh -c "${loop}" & ${loop}' & ${loop}`;
}

/** Ids of processes with `mark` in their command line. Read on the host, because a sandbox has its own process ids. */
async function livingOf(mark: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return pids.filter((_, index) => lines[index]?.includes(mark));
}

async function haveBegun(): Promise<void> {
  while ((await readFile(join(workspace, 'begun'), 'utf8').catch(() => '')).split('\n').length < 4) await sleep(5);
}

async function runStubborn(): Promise<{ stream: EventStream; turnId: string; mark: string }> {
  const mark = basename(workspace);
  model.push({ toolCalls: [{ name: 'run_command', args: { command: stubborn(mark) } }] });
  const stream = await openEventStream(server, { chatId: 'all' });
  const { turnId } = (await server.call('POST', '/api/message', { text: 'go' })).body;
  await haveBegun();
  expect((await livingOf(mark)).length).toBeGreaterThanOrEqual(3);
  const { chats } = (await server.call('GET', '/api/status')).body;
  expect(chats).toMatchObject([{ busy: true, turnId, waitingFor: 'tool', since: expect.stringMatching(/Z$/) }]);
  return { stream, turnId, mark };
}

async function expectUsable(): Promise<void> {
  model.push({ text: 'fine' });
  const stream = await openEventStream(server, { chatId: 'all' });
  const { status, body } = await server.call('POST', '/api/message', { text: 'and now?' });
  expect(status).toBe(202);
  expect(await stream.until((event) => event.kind === 'turn_end' && event['turnId'] === body.turnId)).toMatchObject({ reason: 'done' });
  stream.close();
}

test.each(['auto', 'off'])('aborts within 2 s and kills a process tree that ignores SIGTERM (sandbox %s)', async (sandbox) => {
  server = await start({ AGENT_SANDBOX: sandbox });
  const { stream, turnId, mark } = await runStubborn();
  const began = performance.now();
  const { status, body } = await server.call('POST', '/api/session/abort', {});
  expect(performance.now() - began).toBeLessThan(2_000);
  expect([status, body]).toMatchObject([200, { turnId, stopped: ['run_command'] }]);
  expect(await livingOf(mark)).toEqual([]);
  expect(await stream.until('turn_end')).toMatchObject({ turnId, reason: 'aborted' });
  expect((await server.call('GET', '/api/status')).body.busy).toBe(false);
  stream.close();
  await expectUsable();
});

test.each(['SIGTERM', 'SIGINT'] as const)('ends a turn, its processes and the server within 3 s on %s', async (signal) => {
  server = await start();
  const { stream, turnId, mark } = await runStubborn();
  const followers = await Promise.all([openEventStream(server), openEventStream(server, { chatId: 'all' })]);
  const ends = [stream, ...followers].map((reader) => reader.until((event) => event.kind === 'turn_end' && event['turnId'] === turnId));
  const began = performance.now();
  expect(await server.stop(signal)).toBe(0);
  expect(performance.now() - began).toBeLessThan(3_000);
  for (const end of await Promise.all(ends)) expect(end['reason']).toMatch(/^(aborted|interrupted)$/);
  expect(await livingOf(mark)).toEqual([]);
  const left = await readdir(home, { recursive: true });
  expect(left.filter((path) => /server\.json$|\.lock$|(^|\/)lock/.test(path))).toEqual([]);
  expect(left.filter((path) => path.startsWith('running/'))).toEqual([]);

  server = await start();
  expect((await server.call('GET', '/api/status')).body.busy).toBe(false);
  await expectUsable();
  expect(await server.stop()).toBe(0);
});

test('handles two simultaneous signals like one', async () => {
  server = await start();
  const { stream, mark } = await runStubborn();
  const stopped = Promise.all([server.stop('SIGTERM'), server.stop('SIGINT')]);
  await stream.until('turn_end');
  await stopped;
  expect(await livingOf(mark)).toEqual([]);
  expect(await readdir(home)).not.toContain('server.json');
});
