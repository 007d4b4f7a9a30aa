// Tests the view of turn costs.
import { expect, test } from 'vitest';
import { runTurn, startHarness, startScriptedModel, useEach } from '../../../helpers/in-process.ts';

const model = useEach(() => startScriptedModel([]));
const harness = useEach(() => startHarness({ builtins: ['model-chat-completions', 'files', 'turn-costs'], environment: model.environment }));
const costs = async (): Promise<any> => (await harness.call('GET', '/api/views/costs')).body;

test('splits the cost of the newest turn by purpose, plugin and message', async () => {
  expect((await costs()).blocks).toEqual([{ kind: 'text', text: 'No turn of this chat has called a model yet.' }]);
  const usage = { input: 1_000, output: 100, cost: 0.5 };
  model.push({ text: 'Hello.', usage }, { text: 'I look.', toolCalls: [{ name: 'list_dir', args: { path: '.' } }], usage }, { text: 'Done.', usage });
  await runTurn(harness, 'hello');
  await runTurn(harness, 'look around');
  await expect.poll(async () => (await costs()).blocks[0].fields.map(({ value }: any) => value)).toEqual([1, 2_200, 2]);
  const [, byPurpose, byPlugin, byMessage] = (await costs()).blocks;
  expect(byPurpose).toMatchObject({ title: 'By purpose', rows: [{ cells: ['chat', 2, 2_000, 0, 200, 1] }] });
  expect(byPlugin).toMatchObject({ title: 'By plugin', rows: [{ cells: ['agent', 2, 2_000, 0, 200, 1] }] });
  expect(byMessage.rows.map(({ cells }: any) => cells[0])).toEqual(['I look. · calls list_dir', 'Done.']);
});
