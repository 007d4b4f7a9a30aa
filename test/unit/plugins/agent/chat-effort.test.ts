// Tests the reasoning effort of a chat: chat value, else setting, else provider default.
import { expect, test } from 'vitest';
import { useAgentBench } from './agent-bench.ts';

const open = useAgentBench(() => ({ builtins: ['model-chat-completions', 'ask-user', 'checkpoints', 'subagents'] }));

test('the chat effort overrides the setting, also in tasks and forks, and null restores the setting', async () => {
  const bench = await open();
  const { chatId } = (await bench.call('GET', '/api/workspace/current')).body;
  const isTask = (request: { readonly body: any }): boolean => JSON.stringify(request.body.messages).includes('a part of it');
  const sent = async (chat: string): Promise<unknown[]> => {
    const from = bench.model.requests.length;
    bench.model.push({ toolCalls: [{ name: 'spawn_task', args: { goal: 'a part of it' } }] }, { text: 'ok', when: isTask }, { text: 'ok' });
    await bench.ended((await bench.send('go', { chatId: chat })).body.turnId);
    return bench.model.requests.slice(from).map(({ body }) => body.reasoning_effort);
  };
  const change = (chat: string, effort: unknown): Promise<{ status: number; body: any }> => bench.call('PATCH', `/api/chats/${chat}`, { effort });
  const set = (value: string | null): Promise<{ status: number }> =>
    bench.call('PUT', '/api/settings', { harness: { env: { AGENT_REASONING_EFFORT: value } } });

  expect(await sent(chatId), 'neither').toEqual([undefined, undefined, undefined]);
  expect(await set('low')).toMatchObject({ status: 200 });
  expect(await sent(chatId), 'the setting').toEqual(['low', 'low', 'low']);
  expect(await change(chatId, 'high')).toMatchObject({ status: 200, body: { effort: 'high' } });
  expect(await sent(chatId), 'the chat').toEqual(['high', 'high', 'high']);
  await bench.call('PATCH', `/api/chats/${chatId}`, { title: 'Named' });
  const copy = (await bench.call('POST', `/api/chats/${chatId}/fork`, {})).body;
  expect(copy).toMatchObject({ effort: 'high' });
  expect((await change(chatId, null)).body.effort).toBeUndefined();
  expect(await sent(chatId), 'the setting again').toEqual(['low', 'low', 'low']);
  expect(await sent(copy.chatId), 'the copy').toEqual(['high', 'high', 'high']);
  expect(bench.stream.events.filter((event) => event.kind === 'chat_updated' && event['change'] === 'effort')).toHaveLength(2);
  for (const wrong of ['huge', '']) {
    const { status, body } = await change(chatId, wrong);
    expect([status, body.error.code], String(wrong)).toEqual([400, 'invalid_request']);
    expect(body.error.message).toContain('off, low, medium, high, max, null');
  }
});

test('helper calls are sent without an effort', async () => {
  const bench = await open(undefined, { environment: { AGENT_REASONING_EFFORT: 'max' } });
  bench.model.push({ text: 'ok' });
  const asked = { system: 'Answer.', messages: [{ role: 'user', text: 'A title?' }], tools: [], maxTokens: 20, purpose: 'title' } as const;
  await bench.kernel.resolve('models').complete(asked, { ms: 5_000, signals: [] });
  expect(bench.model.requests.at(-1)?.body).not.toHaveProperty('reasoning_effort');
});

test('/effort shows the value of the chat and changes it', async () => {
  const bench = await open();
  const answerOf = async (text: string): Promise<string> => {
    const before = bench.stream.text();
    await bench.ended((await bench.send(text)).body.turnId);
    return bench.stream.text().slice(before.length).trim();
  };
  const values = "Values: off, low, medium, high, max. /effort default restores the setting (the provider's default).";
  expect(await answerOf('/effort')).toBe(`Reasoning effort: the provider's default, as set in the settings.\n${values}`);
  expect(await answerOf('/effort High')).toBe('Reasoning effort of this chat: high. It applies from the next message on.');
  expect(await answerOf('/effort huge')).toBe(`Unknown reasoning effort 'huge'.\nReasoning effort of this chat: high.\n${values}`);
  bench.model.push({ text: 'ok' });
  await bench.ended((await bench.send('go')).body.turnId);
  expect(bench.model.requests.at(-1)?.body.reasoning_effort).toBe('high');
  expect(await answerOf('/effort default')).toContain("the provider's default, as set in the settings.");
});
