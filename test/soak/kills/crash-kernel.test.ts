// Tests crash recovery of the kernel, the platform and three built-ins, killed before or after a journal line, within a tool, or at random.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inSoak } from '../../helpers/dice.ts';
import { startHarness } from '../../helpers/harness.ts';
import type { ScriptedModel } from '../../helpers/scripted-model.ts';
import { addCountingTool, rollDice, startCrashModel } from './crash-bench.ts';
import { createCrashRecord, findRunTwice } from './crash-record.ts';

interface Step {
  readonly kind?: string;
  readonly nth?: number;
  readonly when: 'before' | 'after' | 'within' | 'random';
}

const kinds = ['message_accepted', 'turn_start', 'text', 'usage', 'tool_start', 'tool_result', 'turn_end'];
const steps: Step[] = [
  ...kinds.flatMap((kind) =>
    inSoak([1, 2, 3, 4], [1, 3]).flatMap((nth) => [
      { kind, nth, when: 'before' as const },
      { kind, nth, when: 'after' as const },
    ]),
  ),
  { kind: 'steer_heard', when: 'before' },
  { kind: 'steer_heard', when: 'after' },
  ...[1, 2, 3, 4].map((nth) => ({ kind: 'counted', nth, when: 'within' as const })),
];
const atRandom = inSoak(68, 10);
const roundsOfAChat = 10;

let model: ScriptedModel;
let home: string;
let workspace: string;
beforeAll(async () => {
  model = await startCrashModel();
  home = await mkdtemp(join(tmpdir(), 'crash-lean-'));
  workspace = await mkdtemp(join(tmpdir(), 'crash-lean-work-'));
  await addCountingTool(home);
});
afterAll(async () => {
  await model.close();
  for (const folder of [home, workspace]) await rm(folder, { recursive: true, force: true });
});

const record = createCrashRecord();
let chatIds: string[] = [];

async function checkHome(): Promise<void> {
  expect(await record.check(home)).toEqual([]);
  expect((await findRunTwice(join(workspace, 'counted.txt'))).twice).toEqual([]);
  expect(await readdir(join(home, 'running')).catch(() => [])).toEqual([]);
}

async function runToDeath(step: Step, newChats: number, delayMs: number): Promise<void> {
  const round = JSON.stringify({ ...step, chatIds, newChats });
  const child = spawn(process.execPath, [join(import.meta.dirname, 'crash-child.mjs'), home, workspace, round], {
    env: { PATH: process.env['PATH'], HOME: home, ...model.environment },
    stdio: 'pipe',
  });
  const ended = once(child, 'close');
  let trouble = '';
  child.stderr.on('data', (text: Buffer) => (trouble += text.toString()));
  const lines: string[] = [];
  let checked = Promise.resolve();
  const readers: Readonly<Record<string, (text: string) => void>> = {
    saw: (text) => record.saw(text),
    accepted: (text) => record.accepted(JSON.parse(text)),
    busy() {
      checked = checkHome();
      // A fault is reported at the end of the round.
      void checked.catch(() => undefined).then(() => child.stdin.write('go\n'));
    },
    chat: (text) => void chatIds.push(text),
    ping: () => void (step.when === 'random' && setTimeout(() => child.kill('SIGKILL'), delayMs)),
    idle: () => void child.kill('SIGKILL'),
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [topic = '', text = ''] = line.split(/ (.*)/s);
    if (topic !== 'saw') lines.push(`${topic} ${text}`);
    readers[topic]?.(text);
  });
  const [, signal] = (await ended) as [number | null, NodeJS.Signals | null];
  await checked;
  expect(trouble).toBe('');
  expect(signal).toBe('SIGKILL');
  // It was idle after its start and completed its first message.
  expect(lines[0]).toBe('busy false');
  expect(lines).toContain('ping done');
  // A step that was never reached would prove nothing.
  if (step.when !== 'random') expect(lines, JSON.stringify(step)).not.toContain('idle ');
}

test(`loses no acknowledged message, repeats no tool call and leaves no turn open over ${steps.length + atRandom} kills`, async () => {
  const dice = rollDice();
  const began = performance.now();
  const all: Step[] = [...steps, ...Array.from({ length: atRandom }, () => ({ when: 'random' as const }))];
  for (const [round, step] of all.entries()) {
    const isFresh = round % roundsOfAChat === 0;
    if (isFresh) chatIds = [];
    await runToDeath(step, isFresh ? 2 : 0, dice.below(45));
  }
  // The final start closes what the last kill left open.
  const harness = await startHarness({ home, workspace, environment: { AGENT_PLUGIN_DIR: join(home, 'no-plugins') } });
  await checkHome();
  const shown = new Set<unknown>();
  for (const { chatId } of (await harness.call('GET', '/api/chats')).body.chats) {
    const { entries } = (await harness.call('GET', `/api/chats/${chatId}/transcript?limit=2000`)).body;
    for (const { id } of entries) shown.add(id);
  }
  expect([...record.messageIds.keys()].filter((messageId) => !shown.has(messageId))).toEqual([]);
  await harness.close({ keepFiles: true });

  const { total } = await findRunTwice(join(workspace, 'counted.txt'));
  const seconds = Math.round((performance.now() - began) / 1000);
  expect(record.interrupted).toBeGreaterThan(all.length);
  process.stdout.write(
    `lean: ${all.length} kills, ${record.messageIds.size} messages, ${record.interrupted} interrupted, ${record.lines} lines, ${total} calls, ${seconds} s\n`,
  );
});
