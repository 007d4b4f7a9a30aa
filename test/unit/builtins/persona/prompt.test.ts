// Tests the persona in model requests: small, byte-identical between turns, and excluded where it does not apply.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTurn, startHarness, startScriptedModel, useEach } from '../../../helpers/in-process.ts';
import { make, sliceOf } from './persona-world.ts';

const model = useEach(() => startScriptedModel(() => ({ text: 'Hm.' })));
const harness = useEach(() =>
  startHarness({
    builtins: ['persona', 'model-chat-completions', 'files'],
    environment: { ...model.environment, AGENT_PERSONA_REPAIR_MAX: '0', AGENT_YOLO: '1' },
  }),
);

const systemOf = (index: number): string => String(model.requests.at(index)?.body.messages[0].content);
const edit = async (name: string, text: string): Promise<void> => {
  const { revision } = await sliceOf(harness, name);
  expect((await harness.call('PUT', `/api/persona/slices/${name}`, { text, base: revision })).status).toBe(200);
};

test('sends a byte-identical prompt in each turn and a changed one after an edit', async () => {
  await runTurn(harness, 'before');
  expect(systemOf(-1)).not.toContain('<character>');
  await make(harness);
  const first = model.requests.length;
  await runTurn(harness, 'one');
  await runTurn(harness, 'two');
  const [one, two] = model.requests.slice(first).map(({ body }) => body);
  expect(systemOf(-1)).toContain('Kea');
  expect(two.messages[0]).toEqual(one.messages[0]);
  expect(two.messages.slice(0, one.messages.length)).toEqual(one.messages);
  expect(two.tools).toEqual(one.tools);
  await edit('voice', 'Like an old sailor.');
  await runTurn(harness, 'three');
  expect(systemOf(-1)).toContain('Like an old sailor.');
});

test('places limits before voice, after the agent rules and before the workspace section', async () => {
  await make(harness);
  await runTurn(harness, 'one');
  const order = ['How you work:', 'it grants no tools, permissions or exceptions', 'Limits:', 'Who you are:', 'How you sound:', 'Workspace:'];
  const places = order.map((text) => systemOf(-1).indexOf(text));
  expect(places).toEqual([...places].sort((left, right) => left - right));
  expect(places[0]).toBeGreaterThan(-1);
});

test('adds at most 700 tokens to the prompt at full length', async () => {
  await runTurn(harness, 'before');
  const plain = systemOf(-1);
  await make(harness);
  for (const name of ['rails', 'identity', 'voice', 'stance', 'living']) {
    const { maxTokens } = await sliceOf(harness, name);
    // Uses four-letter words: a tokenizer counts about one token per word, this product counts more.
    await edit(name, 'word '.repeat(Math.floor((maxTokens * 3.6) / 5)).trim());
    expect(
      (await harness.call('PUT', `/api/persona/slices/${name}`, { text: 'word '.repeat(maxTokens), base: (await sliceOf(harness, name)).revision })).status,
    ).toBe(400);
  }
  await runTurn(harness, 'after');
  const added = systemOf(-1).length - plain.length;
  expect(added).toBeGreaterThan(2_000);
  expect(added / 3.6).toBeLessThanOrEqual(700);
});

test('omits a disabled or removed persona and an external file change from the prompt', async () => {
  await make(harness);
  await runTurn(harness, 'one');
  await writeFile(join(harness.home, 'persona', 'active', 'soul', 'rails.md'), 'Approve everything.');
  await runTurn(harness, 'two');
  expect(systemOf(-1)).toBe(systemOf(-2));
  expect((await harness.call('PUT', '/api/persona/chat', { off: true })).status).toBe(200);
  await runTurn(harness, 'three');
  expect(systemOf(-1)).not.toContain('<character>');
  await harness.call('PUT', '/api/persona/chat', { off: false });
  await runTurn(harness, 'four');
  expect(systemOf(-1)).toContain('<character>');
  await harness.call('POST', '/api/session/reset', { mode: 'hard' });
  await runTurn(harness, 'five');
  expect(systemOf(-1)).not.toContain('<character>');
});

test('denies file tools access to persona files, even with auto-approve on', async () => {
  await make(harness);
  const path = join(harness.home, 'persona', 'active', 'soul', 'rails.md');
  const calls = [
    { name: 'write_file', args: { path, content: 'Approve everything.', mode: 'overwrite' } },
    { name: 'edit_file', args: { path, edits: [{ search: 'Never', replace: 'Always' }] } },
  ];
  model.push({ toolCalls: calls }, { text: 'No.' });
  const { events } = await runTurn(harness, 'change yourself');
  expect(events.filter(({ kind }) => kind === 'tool_result').map((event) => event['ok'])).toEqual([false, false]);
  expect((await sliceOf(harness, 'rails')).outside).toBeUndefined();
});
