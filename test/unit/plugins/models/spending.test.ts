// Property tests of budgets: reserved plus spent never exceeds a cap, no call waits forever, and a restart restores the state.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelCall, ModelRequest, ModelRoute, UsageRow } from 'agent-harness/plugins/models';
import { createCaps } from '../../../../plugins/models/spending/caps.ts';
import { createLedger } from '../../../../plugins/models/spending/ledger.ts';
import { createSpending, type Spending } from '../../../../plugins/models/spending/spending.ts';
import type { UsageLine } from '../../../../plugins/models/usage-log.ts';
import { runs } from '../../../helpers/dice.ts';

const route: ModelRoute = { wire: 'chat-completions', model: 'm', baseURL: 'http://127.0.0.1/v1' };
const price = { input: 0.000_01, output: 0.000_1 };
const silent: ModelCall = { text: ignore, reasoning: ignore, toolCall: ignore, toolArgs: ignore, retry: ignore };
const purposes = ['chat', 'extract', 'speak'] as const;

interface World {
  readonly spending: Spending;
  readonly lines: UsageLine[];
  readonly warnings: string[];
  readonly refusals: { count: number };
}

function open(caps: { readonly day: number; readonly chat: number; readonly memory: number }, lines: UsageLine[] = []): World {
  const warnings: string[] = [];
  const refusals = { count: 0 };
  const known = createCaps({ budgetPerDay: caps.day, budgetPerChat: caps.chat });
  known.point.added({ name: 'memory', per: 'day', purposes: ['extract'], source: 'MEMORY', limit: () => caps.memory }, 'test');
  const spending = createSpending({
    caps: known,
    ledger: createLedger({
      async *history() {
        await Promise.resolve();
        yield* [...lines].reverse();
      },
    }),
    prices: { of: () => Promise.resolve(price) },
    usageLog: { add: (row) => void lines.push(row), hold: (line) => void lines.push(line as UsageLine) },
    error(reason, details) {
      refusals.count++;
      return Object.assign(new Error(JSON.stringify(details)), { code: reason });
    },
    warn: (_, state, percent) => void warnings.push(`${state.name} ${percent}`),
  });
  return { spending, lines, warnings, refusals };
}

interface Step {
  readonly purpose: (typeof purposes)[number];
  readonly chat: number;
  readonly tokens: number;
  readonly share: number;
  readonly ends: 'told' | 'untold' | 'cut' | 'refused';
  readonly slow: number;
}

const step = fc.record({
  purpose: fc.constantFrom(...purposes),
  chat: fc.nat(2),
  tokens: fc.integer({ min: 16, max: 4_000 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  ends: fc.constantFrom('told' as const, 'untold' as const, 'cut' as const, 'refused' as const),
  slow: fc.nat(4),
});
const amount = fc.constantFrom(0, 0.03, 0.1, 0.5, 2);

async function call(world: World, { purpose, chat, tokens, share, ends, slow }: Step, look: () => Promise<void>): Promise<void> {
  const chatId = `chat_${chat}`;
  const request: ModelRequest = { system: '', messages: [], tools: [], maxTokens: tokens, purpose, chatId };
  const hold = await world.spending.forRequest(request, route, new AbortController().signal).catch(() => undefined);
  if (!hold) return;
  expect(hold.maxTokens).toBeGreaterThanOrEqual(Math.min(tokens, 256));
  await look();
  for (let pass = 0; pass < slow; pass++) await new Promise((resolve) => setImmediate(resolve));
  const written = Math.floor(hold.maxTokens * share);
  if (ends === 'cut' || ends === 'refused') {
    if (ends === 'cut') hold.watch(silent).text('x'.repeat(written * 3));
    return hold.cut(ends === 'cut');
  }
  const usage = { input: 0, output: written, cached: 0, ...(ends === 'told' ? { cost: written * price.output } : {}) };
  const row: UsageRow = { at: new Date().toISOString(), purpose, model: 'm', chatId, ...usage, ...hold.settle(usage) };
  world.lines.push(row);
  hold.booked(row);
}

test('for any sequence of calls no cap is exceeded, nothing stays reserved, and a restart restores the state', async () => {
  await fc.assert(
    fc.asyncProperty(fc.record({ day: amount, chat: amount, memory: amount }), fc.array(step, { maxLength: 25 }), async (caps, steps) => {
      const world = open(caps);
      const look = async (): Promise<void> => {
        for (const chat of [0, 1, 2])
          for (const { limit, spent, held } of await world.spending.states(`chat_${chat}`))
            if (limit > 0) expect(spent + held).toBeLessThanOrEqual(limit + 1e-6);
      };
      await Promise.all(steps.map((one) => call(world, one, look)));
      await look();
      for (const chatId of ['chat_0', 'chat_1', 'chat_2']) {
        const states = await world.spending.states(chatId);
        expect(states.every(({ held }) => held === 0)).toBe(true);
        const again = await open(caps, world.lines).spending.states(chatId);
        for (const [index, state] of states.entries()) expect(again[index]?.spent ?? -1).toBeCloseTo(state.spent, 9);
      }
      // Each threshold is reported once per cap, and once per chat for chat caps.
      for (const name of ['day', 'memory'])
        for (const percent of [80, 95]) expect(world.warnings.filter((one) => one === `${name} ${percent}`).length).toBeLessThanOrEqual(1);
    }),
    runs(400),
  );
});

test('a crash during calls leaves no more to spend than the cap allows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), fc.nat(40), async (steps, lines) => {
      const world = open({ day: 0.5, chat: 0, memory: 0 });
      await Promise.all(steps.map((one) => call(world, one, () => Promise.resolve())));
      // The log as written at the time of the crash.
      const left = world.lines.slice(0, lines);
      const next = open({ day: 0.5, chat: 0, memory: 0 }, left);
      const [state] = await next.spending.states();
      const held = new Map(left.flatMap(({ hold, held: usd }) => (hold !== undefined && usd !== undefined ? [[hold, usd]] : [])));
      const known = left.reduce((sum, { hold, held: usd, isFreed, cost, estimate = 0 }) => {
        if (usd !== undefined || isFreed) return sum;
        if (hold !== undefined) held.delete(hold);
        return sum + (cost ?? estimate);
      }, 0);
      for (const { hold, isFreed } of left) if (isFreed && hold !== undefined) held.delete(hold);
      const underway = [...held.values()].reduce((sum, usd) => sum + usd, 0);
      expect(state?.spent).toBeCloseTo(known + underway, 9);
    }),
    runs(400),
  );
});

function ignore(): void {}
