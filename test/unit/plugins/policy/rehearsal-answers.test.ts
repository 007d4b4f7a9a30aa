// Tests whether an approval applies the preview or runs the call, by the named preview and its state.
import { expect, test } from 'vitest';
import { addTools, type AgentBench, createGate, ownTool, useAgentBench } from '../agent/agent-bench.ts';

const start = useAgentBench();
const ready = { state: 'ready', id: 'seen-1', ok: true, output: '', changes: [], more: 0 };

interface Asked {
  readonly bench: AgentBench;
  readonly approvalId: string;
  end(shown?: object): Promise<void>;
  result(): Promise<string>;
}

async function ask(isReady: boolean): Promise<Asked> {
  const gate = createGate<object>();
  if (isReady) gate.open(ready);
  const rehearsal = {
    shown: gate.opened,
    whyStale: () => Promise.resolve(undefined),
    apply: () => ({ ok: true, output: 'applied' }),
    drop: () => Promise.resolve(),
  };
  const bench = await start((registry, emitter) => {
    addTools(ownTool('change', () => ({ ok: true, output: 'ran' }), { effects: ['execute'] }))(registry);
    emitter.tap('approval.rehearse', () => rehearsal as never);
  });
  bench.model.push({ toolCalls: [{ name: 'change' }] }, { text: 'Done.' });
  const { body } = await bench.send('Change it.');
  const { approvalId } = (await bench.stream.until('tool_approval')) as any;
  return {
    bench,
    approvalId,
    async end(shown = ready) {
      gate.open(shown);
      await bench.stream.until('approval_rehearsed');
    },
    async result() {
      await bench.ended(body.turnId);
      return String((await bench.stream.until('tool_result'))['output']);
    },
  };
}

const approve = ({ bench, approvalId }: Asked, more: object = {}) => bench.call('POST', '/api/approve', { approvalId, decision: 'approve', ...more });

test('without an id, an approval applies a ready preview, whenever it became ready', async () => {
  const first = await ask(true);
  expect((await approve(first)).status).toBe(200);
  expect(await first.result()).toBe('applied');
  const later = await ask(false);
  await later.end();
  expect((await approve(later)).status).toBe(200);
  expect(await later.result()).toBe('applied');
});

test('without a ready preview, an approval runs the call', async () => {
  const running = await ask(false);
  expect((await approve(running)).status).toBe(200);
  expect(await running.result()).toBe('ran');
  const failed = await ask(false);
  await failed.end({ state: 'none', why: 'It cannot be shown.' });
  expect((await approve(failed)).status).toBe(200);
  expect(await failed.result()).toBe('ran');
});

test('a failed preview is not applied, and the approval runs the call once', async () => {
  for (const more of [{}, { rehearsal: 'seen-1' }]) {
    const asked = await ask(false);
    await asked.end({ ...ready, ok: false, output: 'Could not resolve host' });
    expect((await approve(asked, more)).status).toBe(200);
    expect(await asked.result()).toBe('ran');
    expect(asked.bench.stream.events.filter(({ kind }) => kind === 'tool_approval')).toHaveLength(1);
  }
});

test('an approval may name the preview or none, while an unknown one is rejected and the approval stays pending', async () => {
  const asked = await ask(true);
  for (const rehearsal of ['other', '', 'Seen-1'])
    expect(await approve(asked, { rehearsal })).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  expect((await approve(asked, { rehearsal: 'seen-1' })).status).toBe(200);
  expect(await asked.result()).toBe('applied');
  const plain = await ask(true);
  expect((await approve(plain, { rehearsal: 'none' })).status).toBe(200);
  expect(await plain.result()).toBe('ran');
});
