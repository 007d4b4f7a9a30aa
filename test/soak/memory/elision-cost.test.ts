import { afterEach, expect, test } from 'vitest';
import type { Turn } from 'agent-harness/plugins/agent';
import type { ModelMessage } from 'agent-harness/plugins/models';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { createRandom, quiet } from '../../unit/builtins/compression/long-chat.ts';

/** Relative price of a cached byte. */
const cachedPrice = 0.1;

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

interface Played {
  readonly sent: number;
  readonly cost: number;
  readonly cached: number;
  readonly compressions: number;
  readonly messages: readonly ModelMessage[];
}

/** Builds a request for each round of one turn. `sizes` sets the length of each tool result in characters. */
async function play(sizes: readonly number[], window: number, isOn: boolean): Promise<Played> {
  harness = await startHarness({
    ...quiet,
    listen: false,
    environment: { AGENT_CONTEXT_TOKENS: String(window), AGENT_TOOL_BODY_ELIDE: isOn ? '1' : '0' },
  });
  const { emitter } = harness.kernel;
  const { chatId } = await harness.kernel.resolve('chats').create({ workspaceMode: 'scratch' });
  const turn = { chatId, turnId: 'turn', isRoot: true, round: 2, signal: new AbortController().signal, notes: new Map() } as unknown as Turn;
  let compressions = 0;
  emitter.on('context_compressed', () => compressions++);
  const system = [{ id: 'rules', text: 'r'.repeat(4_000) }];
  const messages: ModelMessage[] = [{ role: 'user', text: 'Read all pages.' }];
  let before = '';
  let [sent, cached] = [0, 0];
  let shown: readonly ModelMessage[] = [];
  for (const [round, chars] of sizes.entries()) {
    shown = (await emitter.call('prompt.build', [{ system, messages: [...messages], tail: [] }, turn])).messages;
    const text = JSON.stringify([system, ...shown]).slice(0, -1);
    sent += text.length;
    cached += sharedLength(before, text);
    before = text;
    messages.push(
      { role: 'assistant', text: '', toolCalls: [{ id: `call_${round}`, name: 'look', argsText: JSON.stringify({ page: round }) }] },
      { role: 'tool', callId: `call_${round}`, name: 'look', text: `page ${round} ${'some words of a page '.repeat(chars / 21)}`, isError: false },
    );
  }
  await harness.close();
  return { sent, cached, cost: sent - cached + cachedPrice * cached, compressions, messages: shown };
}

function sharedLength(left: string, right: string): number {
  let [low, high] = [0, Math.min(left.length, right.length)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (left.slice(0, middle) === right.slice(0, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

test('costs less with pointers than with bodies over 300 rounds of 20 kB and has 85 percent cache hits', async () => {
  const sizes = Array<number>(300).fill(20_000);
  const [on, off] = [await play(sizes, 128_000, true), await play(sizes, 128_000, false)];
  expect(on.cost).toBeLessThan(0.95 * off.cost);
  expect(on.cached / on.sent).toBeGreaterThanOrEqual(0.85);
  expect(on.messages.some(({ text }) => text.includes('moved to artifact'))).toBe(true);
}, 60_000);

test('never costs more with pointers than with bodies, for random rounds, windows and turns', async () => {
  const random = createRandom(7);
  for (const window of [16_000, 32_000, 64_000, 128_000, 200_000]) {
    for (let sample = 0; sample < 3; sample++) {
      const [count, longest] = [20 + random() * 80, 2_000 + random() * 46_000];
      const sizes = Array.from({ length: count }, () => longest * random());
      const [on, off] = [await play(sizes, window, true), await play(sizes, window, false)];
      expect(on.cost).toBeLessThanOrEqual(off.cost);
    }
  }
}, 120_000);
