import { expect, test } from 'vitest';
import { addTools, ownTool, useAgentBench } from './agent-bench.ts';

const open = useAgentBench();

test('the chat model overrides the setting from the next message on, also in a fork', async () => {
  const bench = await open();
  const said = async (text: string): Promise<string> => {
    bench.model.push({ text: 'ok' });
    const { turnId } = (await bench.send(text)).body;
    await bench.ended(turnId);
    const started = bench.stream.events.find((event) => event.kind === 'turn_start' && event['turnId'] === turnId);
    expect(started?.['model']).toBe(bench.model.requests.at(-1)?.body.model);
    return bench.model.requests.at(-1)?.body.model;
  };
  const { chatId } = (await bench.call('GET', '/api/workspace/current')).body;
  expect(await said('one')).toBe('scripted');
  expect((await bench.call('PATCH', `/api/chats/${chatId}`, { model: 'special' })).body).toMatchObject({ chatId, model: 'special' });
  expect(await said('two')).toBe('special');
  const copy = (await bench.call('POST', `/api/chats/${chatId}/fork`, {})).body;
  expect(copy.model).toBe('special');
  expect((await bench.call('PATCH', `/api/chats/${chatId}`, { title: 'Named' })).body).toMatchObject({ title: 'Named', model: 'special' });
  expect((await bench.call('PATCH', `/api/chats/${chatId}`, { model: null })).body.model).toBeUndefined();
  expect(await said('three')).toBe('scripted');
  expect((await bench.call('PATCH', `/api/chats/${chatId}`, {})).status).toBe(400);
  expect((await bench.call('GET', `/api/chats/${chatId}`)).body.title).toBe('Named');
});

test('/model lists the available models and switches the chat model', async () => {
  const bench = await open();
  const listed = Array.from({ length: 40 }, (_, index) => ({ id: `m-${index}`, context_length: 8_000 }));
  bench.model.listModels(() => ({ body: { data: listed } }));
  const answerOf = async (text: string): Promise<string> => {
    const before = bench.stream.text();
    await bench.ended((await bench.send(text)).body.turnId);
    return bench.stream.text().slice(before.length);
  };
  expect(await answerOf('/model')).toMatch(/Current model: scripted \(from the settings\)\.\nm-0 \(8000 tokens\)[^]*… and 10 more/);
  expect(await answerOf('/model ? m-3')).toContain('m-39');
  expect((await answerOf('/model m-7')).trim()).toBe('This chat uses m-7 from the next message on.');
  expect(await answerOf('/model nothing')).toContain('does not list a model of that name');
  bench.model.push({ text: 'ok' });
  await bench.ended((await bench.send('go')).body.turnId);
  expect(bench.model.requests.at(-1)?.body.model).toBe('nothing');
  expect(await answerOf('/model default')).toContain('This chat uses scripted, as set in the settings, from the next message on');
});

test('requests fit the context window of the selected model', async () => {
  const bench = await open(addTools(ownTool('look', () => 'x'.repeat(40_000))), {
    builtins: ['model-chat-completions', 'artifacts', 'compression'],
  });
  bench.model.listModels(() => ({ body: { data: [{ id: 'tiny', context_length: 6_000 }] } }));
  const { chatId } = (await bench.call('GET', '/api/workspace/current')).body;
  await bench.call('GET', '/api/models');
  await bench.call('PATCH', `/api/chats/${chatId}`, { model: 'tiny' });
  bench.model.push({ toolCalls: [{ name: 'look' }] }, { text: 'ok' });
  await bench.ended((await bench.send('go')).body.turnId);
  const sent = bench.model.requests.at(-1)?.body;
  expect(JSON.stringify(sent.messages).length / 4 + sent.max_tokens).toBeLessThan(6_000);
});
