// Tests durability: accepted messages and model requests wait for the journal, prompt building does not.
import { expect, test } from 'vitest';
import { createGate, kindsOf, useAgentBench, type AgentBench } from './agent-bench.ts';

const open = useAgentBench();
/** Event loop passes that exceed the time between two hooks of a turn without added work. */
const passes = 200;

/** Blocks journal writes until the gate opens; opened with a fault, writes fail until `mend` is called. */
function holdDisk(bench: AgentBench): { open(fault?: Error): void; mend(): void } {
  const log = bench.kernel.resolve('eventLog') as { flushed(chatId: string): Promise<void> };
  const real = log.flushed.bind(log);
  const gate = createGate<Error | undefined>();
  log.flushed = async (chatId) => {
    const fault = await gate.opened;
    if (fault) throw fault;
    await real(chatId);
  };
  return { open: gate.open, mend: () => void (log.flushed = real) };
}

test('the prompt is built during the journal write, but the request and the reply wait for it', async () => {
  const built = createGate();
  const bench = await open((_, emitter) => emitter.tap('prompt.build', () => built.open()));
  bench.model.push({ text: 'ok', always: true });
  const disk = holdDisk(bench);
  let isAnswered = false;
  const reply = bench.send('hello').finally(() => (isAnswered = true));
  await built.opened;
  for (let pass = 0; pass < passes; pass++) await new Promise(setImmediate);
  expect([isAnswered, bench.model.requests.length]).toEqual([false, 0]);
  disk.open(undefined);
  const { status, body } = await reply;
  expect([status, body.queued]).toEqual([202, false]);
  expect((await bench.ended(body.turnId))['reason']).toBe('done');
  expect(bench.model.requests).toHaveLength(1);
  expect(kindsOf(await bench.journal(), body.turnId).slice(0, 2)).toEqual(['message_accepted', 'turn_start']);
});

test('on a journal write failure the message is rejected, no model request is sent, and the chat is free again', async () => {
  const bench = await open();
  bench.model.push({ text: 'ok', always: true });
  const disk = holdDisk(bench);
  disk.open(Object.assign(new Error('The disk is full.'), { code: 'CHATS_ERR_JOURNAL_UNWRITABLE' }));
  expect((await bench.send('lost')).status).toBeGreaterThanOrEqual(400);
  const end = await bench.stream.until((event) => event.kind === 'turn_end');
  expect(end).toMatchObject({ reason: 'error', error: { code: 'journal_unwritable' } });
  await bench.idle();
  expect(bench.model.requests).toHaveLength(0);
  disk.mend();
  const next = await bench.send('kept');
  expect((await bench.ended(next.body.turnId))['reason']).toBe('done');
});

test('a slash command runs only after its message is in the journal', async () => {
  let ran = 0;
  const bench = await open((registry) => registry.add('slash_command', { name: 'act', summary: 'Acts.', run: () => `${++ran}` }));
  const disk = holdDisk(bench);
  const reply = bench.send('/act');
  await bench.stream.until((event) => event.kind === 'turn_start');
  for (let pass = 0; pass < passes; pass++) await new Promise(setImmediate);
  expect(ran).toBe(0);
  disk.open(undefined);
  expect((await bench.ended((await reply).body.turnId))['reason']).toBe('done');
  expect(ran).toBe(1);
});
