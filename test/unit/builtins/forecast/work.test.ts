// Tests the work of a forecast with a long history, and when the forecast is computed.
import { expect, test } from 'vitest';
import { createHistory, mostTurns, type PastTurn } from '../../../../builtins/models/forecast/history.ts';
import { forecast } from '../../../../builtins/models/forecast/likely-cost.ts';
import { runTurn, startHarness, startScriptedModel, useEach } from '../../../helpers/in-process.ts';

let visits = 0;
const model = useEach(() => startScriptedModel([]));

function turnOf(index: number, count = 64): PastTurn {
  const words = Array.from({ length: count }, (_, at) => (at % 2 === 0 ? at : 1_000 * index + at));
  const counted = new Proxy(words, {
    get(target, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) visits++;
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  const facts = { at: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(), chatId: 'c', turnId: String(index), model: 'm', workspaceRoot: '/w' };
  return { ...facts, words: counted, length: 400, context: 5_000, tokens: 10_000 + index, cost: 0.1 + index / 1_000 };
}

test('a forecast over 600 turns reads no words of past turns, and adding a turn reads those of two turns', () => {
  const history = createHistory(Array.from({ length: mostTurns }, (_, index) => turnOf(index)));
  const { words, ...task } = turnOf(mostTurns);
  const own = [...words];
  visits = 0;
  expect(forecast({ ...task, words: own }, history)).toMatchObject({ unit: 'usd', turns: mostTurns });
  expect(visits).toBe(0);
  history.add(turnOf(mostTurns));
  expect(history.turns).toHaveLength(mostTurns);
  expect(visits).toBe(2 * 64);
});

test('incremental word counts equal recomputed counts', () => {
  const history = createHistory([]);
  for (let index = 0; index < mostTurns + 50; index++) history.add(turnOf(index, 10));
  const again = createHistory(history.turns);
  const words = new Set(history.turns.flatMap((turn) => [...turn.words]));
  for (const word of words) expect(history.rarityOf(word)).toBe(again.rarityOf(word));
  expect(history.having(1_000 * 3 + 1).size).toBe(0);
});

test.each([
  ['after the request is sent', {}, ['request', 'forecast', 'request']],
  ['before the request if it requires confirmation', { AGENT_FORECAST_ASK_USD: '0.01' }, ['forecast', 'request', 'request']],
])('computes the forecast %s', async (_, environment, order) => {
  const harness = await startHarness({
    builtins: ['model-chat-completions', 'forecast'],
    environment: { ...model.environment, AGENT_FORECAST_FROM_USD: '0.05', ...environment },
  });
  const say = (): Promise<unknown> => {
    model.push(
      { toolCalls: [{ name: 'none', args: {} }], usage: { input: 100, output: 10, cost: 0.2 } },
      { text: 'Yes.', usage: { input: 100, output: 10, cost: 0.2 } },
    );
    return runTurn(harness, 'audit the parser module');
  };
  for (let turn = 0; turn < 5; turn++) await say();
  await expect.poll(async () => (await harness.call('POST', '/api/forecast', { text: 'audit' })).body.forecast?.turns).toBe(5);
  const seen: string[] = [];
  harness.kernel.emitter.tap('turn.observe', (observers) => [...observers, ({ on }) => void (on === 'request' && seen.push('request'))]);
  harness.kernel.emitter.on('turn_forecast', ({ phase }) => void (phase === 'before' && seen.push('forecast')));
  harness.kernel.emitter.on('ask_user', ({ askId }) => void harness.call('POST', '/api/answer', { askId, answer: 'Start' }));
  await say();
  expect(seen).toEqual(order);
  expect(await harness.close()).toEqual([]);
});
