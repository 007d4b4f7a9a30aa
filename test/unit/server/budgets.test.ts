// Checks the cost of a later turn and a tool round in counts, with 10 % tolerance. Change a number in the commit that needs it, with the reason.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { countWork, type Work } from '../../helpers/count-work.ts';
import { runTurn } from '../../helpers/event-stream.ts';
import { startHarness } from '../../helpers/harness.ts';
import { isOfTurn, startScriptedModel } from '../../helpers/scripted-model.ts';

/** Timers from this delay on, in milliseconds, delay writes and never run here: on a busy machine more of them would fall into the measured turns. */
const heldFromMs = 1_000;
const turns = 10;
const rounds = 10;
/** Current measurements; a run may exceed them by at most a tenth. */
const measured: Readonly<Record<string, Work>> = {
  turn: { pool: 3, sync: 61, flushes: 2, written: 4_350, calls: 4_600 },
  round: { pool: 1, sync: 22, flushes: 1, written: 3_750, calls: 4_450 },
  // Calls grow with the messages of the chat and the turns of the user.
  late: { pool: 3, sync: 61, flushes: 2, written: 4_750, calls: 8_650 },
};

test('a later turn, a tool round, and a turn after sixty others stay within their budget', async () => {
  const { setTimeout: own } = globalThis;
  vi.stubGlobal('setTimeout', (work: () => void, ms = 0, ...rest: []) => own(work, ms >= heldFromMs ? 2 ** 30 : ms, ...rest));
  onTestFinished(() => void vi.unstubAllGlobals());
  const model = await startScriptedModel((request) => {
    const { messages } = request.body;
    const asked = messages.findLastIndex(({ role }: any) => role === 'user');
    const wanted = Number(/rounds (\d+)/.exec(JSON.stringify(messages[asked]))?.[1] ?? 0);
    const done = messages.slice(asked).filter(({ role }: any) => role === 'tool').length;
    return isOfTurn(request) && done < wanted ? { toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }] } : { text: 'Done.' };
  });
  const harness = await startHarness({ environment: model.environment });
  await writeFile(join(harness.workspace, 'a.txt'), 'hello\n');
  for (let at = 0; at < 5; at++) await runTurn(harness as never, `Read, in rounds ${at % 2}.`);
  const count = await countWork();
  const measure = async (text: string, times: number): Promise<Work> => {
    await count.take();
    for (let at = 0; at < times; at++) await runTurn(harness as never, text);
    const work = await count.take();
    return Object.fromEntries(Object.entries(work).map(([name, value]) => [name, Math.round(value / times)])) as unknown as Work;
  };
  const turn = await measure('Hello again.', turns);
  const long = await measure(`Read, in rounds ${rounds}.`, 2);
  const round = Object.fromEntries(Object.entries(long).map(([name, value]) => [name, Math.round((value - turn[name as keyof Work]) / rounds)]));
  await measure('More.', 40);
  const late = await measure('Hello again.', turns);
  await count.stop();
  await model.close();
  const counted = { turn, round, late } as unknown as Record<string, Work>;
  const over = Object.entries(measured).flatMap(([what, figures]) =>
    Object.entries(figures).flatMap(([name, most]) => {
      const value = counted[what]?.[name as keyof Work] ?? NaN;
      return value <= Math.ceil(most * 1.1) ? [] : [`${what}: ${name} ${value}, at most ${most} and a tenth`];
    }),
  );
  expect(over).toEqual([]);
});
