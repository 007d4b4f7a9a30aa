// The real server, killed while several chats work: at each step that a reader can see, and at random times.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScriptedModel } from '../../helpers/scripted-model.ts';
import { inSoak } from '../../helpers/dice.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';
import { addCountingTool, rollDice, startCrashModel } from './crash-bench.ts';
import { createCrashRecord, findRunTwice } from './crash-record.ts';
import { openRawStream, type RawStream } from './raw-stream.ts';

const steps = ['message_accepted', 'turn_start', 'text', 'usage', 'tool_start', 'tool_result', 'turn_end'].flatMap((kind) =>
  [1, 3, 6].map((nth) => ({ kind, nth })),
);
const atSteps = steps.length * inSoak(2, 1);
const atRandom = inSoak(38, 9);

let model: ScriptedModel;
let home: string;
let workspace: string;
let server: ServerProcess | undefined;
beforeAll(async () => {
  model = await startCrashModel();
  home = await mkdtemp(join(tmpdir(), 'crash-'));
  workspace = await mkdtemp(join(tmpdir(), 'crash-work-'));
  await addCountingTool(home);
});
afterAll(async () => {
  await server?.stop('SIGKILL');
  await model.close();
  for (const folder of [home, workspace]) await rm(folder, { recursive: true, force: true });
});

const record = createCrashRecord();
let chatIds: string[] = [];

async function start(): Promise<{ running: ServerProcess; stream: RawStream }> {
  const running = await startServerProcess({ home, workspace, environment: { ...model.environment, AGENT_YOLO: '1' } });
  server = running;
  while ((await running.call('GET', '/api/config')).status === 503) await sleep(2);
  return { running, stream: await openRawStream(running, record.saw) };
}

async function send(running: ServerProcess, chatId: string, text: string): Promise<string | undefined> {
  const sent = await running.call('POST', '/api/message', { chatId, text, whenBusy: 'queue' }).catch(() => undefined);
  if (sent?.status !== 202) return undefined;
  record.accepted(sent.body);
  return sent.body.turnId as string;
}

/** What must hold after each restart. */
async function checkAfterRestart(running: ServerProcess, stream: RawStream): Promise<void> {
  expect(await record.check(home)).toEqual([]);
  expect((await findRunTwice(join(workspace, 'counted.txt'))).twice).toEqual([]);
  expect((await running.call('GET', '/api/status')).body).toMatchObject({ busy: false });
  expect(await readdir(join(home, 'running')).catch(() => [])).toEqual([]);
  for (const chatId of chatIds) {
    const { entries } = (await running.call('GET', `/api/chats/${chatId}/transcript?limit=2000`)).body;
    const shown = new Set(entries.map((entry: { id: string }) => entry.id));
    for (const [messageId, owner] of record.messageIds) if (owner === chatId) expect(shown).toContain(messageId);
  }
  const turnId = await send(running, chatIds[0] as string, 'ping');
  expect(turnId).toBeDefined();
  const end = await stream.until((event) => event['kind'] === 'turn_end' && event['turnId'] === turnId);
  expect(end).toMatchObject({ reason: 'done' });
  // The conversation is one that a provider takes: each call has its result.
  const { messages } = model.requests.at(-1)?.body;
  const asked = messages.flatMap((message: any) => (message.tool_calls ?? []).map(({ id }: any) => id));
  expect(messages.flatMap((message: any) => (message.role === 'tool' ? [message.tool_call_id] : []))).toEqual(asked);
}

async function makeChats(running: ServerProcess): Promise<void> {
  const made = await Promise.all([0, 1, 2, 3].map(() => running.call('POST', '/api/chats', {})));
  chatIds = made.map(({ body }) => body.chatId as string);
}

test(`${atSteps + atRandom} kills of the server lose nothing that anybody was told, run no tool twice and leave no turn open`, async () => {
  const dice = rollDice();
  const began = performance.now();
  for (let round = 0; round < atSteps + atRandom; round++) {
    const { running, stream } = await start();
    if (round % 12 === 0) await makeChats(running);
    await checkAfterRestart(running, stream);

    const step = round < atSteps ? steps[round % steps.length] : undefined;
    let left = step?.nth ?? 0;
    const reached = step ? stream.until((event) => event['kind'] === step.kind && --left === 0) : sleep(dice.below(60));
    const sending = Promise.all(chatIds.flatMap((chatId) => [send(running, chatId, 'go'), send(running, chatId, 'go on')]));
    await reached;
    expect(await running.stop('SIGKILL')).toBe('SIGKILL');
    await Promise.all([sending, stream.ended]);
    // Ends in a row soon after the start look like the fault of a plugin; these are none, and the tool has to be there.
    await rm(join(home, 'plugin-run.json'), { force: true });
  }
  const { running, stream } = await start();
  await checkAfterRestart(running, stream);
  expect(await running.stop()).toBe(0);
  const { total } = await findRunTwice(join(workspace, 'counted.txt'));
  const seconds = Math.round((performance.now() - began) / 1000);
  expect(record.interrupted).toBeGreaterThan(atSteps + atRandom);
  process.stdout.write(
    `server: ${atSteps + atRandom} kills, ${record.messageIds.size} messages, ${record.interrupted} interrupted, ${record.lines} lines, ${total} calls, ${seconds} s\n`,
  );
  expect(total).toBeGreaterThan(atSteps);
}, 170_000);
