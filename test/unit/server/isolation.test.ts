import { expect, test } from 'vitest';
import { openEventStream, startHarness, startScriptedModel } from '../../helpers/in-process.ts';

test('two servers in one process share no chat, setting, token or event', async () => {
  const model = await startScriptedModel([{ text: 'ok', always: true }]);
  const environment = { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'key' };
  const [one, two] = await Promise.all([startHarness({ environment }), startHarness({ environment })]);
  expect(one.token).not.toBe(two.token);
  expect((await two.call('GET', '/api/status', undefined, { authorization: `Bearer ${one.token}` })).status).toBe(401);

  const [oneStream, twoStream] = await Promise.all([openEventStream(one, { chatId: 'all' }), openEventStream(two, { chatId: 'all' })]);
  await one.call('POST', '/api/message', { text: 'only one' });
  await oneStream.until('turn_end');
  await one.call('PUT', '/api/settings', { harness: { env: { AGENT_MAX_ROUNDS: '7' } } });
  await two.call('POST', '/api/message', { text: 'only two' });
  await twoStream.until('turn_end');
  expect(twoStream.events.filter((event) => event.kind === 'message_accepted').map((event) => event['text'])).toEqual(['only two']);
  const rounds = (await two.call('GET', '/api/settings')).body.fields.find((field: any) => field.key === 'AGENT_MAX_ROUNDS');
  expect(rounds).toMatchObject({ value: 128, source: 'default' });
  oneStream.close();
  twoStream.close();
  expect(await one.close()).toEqual([]);
  expect((await two.call('GET', '/api/status')).status).toBe(200);
  expect(await two.close()).toEqual([]);
});

test('ten chats run turns in parallel, and each stream shows only its own', async () => {
  const model = await startScriptedModel((request) => {
    const text: string = request.body.messages.findLast((message: any) => message.role === 'user').content;
    const called = request.body.messages.some((message: any) => message.role === 'tool');
    return called
      ? { text: Array.from({ length: 20 }, (_, index) => `${text} ${index} `), delayMs: 1 }
      : { toolCalls: [{ name: 'write_file', args: { path: `${text}.txt`, content: text } }] };
  });
  const harness = await startHarness({ environment: { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'key' } });
  const chats: string[] = [];
  for (let index = 0; index < 10; index++) chats.push((await harness.call('POST', '/api/chats', { workspaceMode: 'scratch', activate: false })).body.chatId);
  const streams = await Promise.all(chats.map((chatId) => openEventStream(harness, { chatId })));
  await Promise.all(chats.map((chatId, index) => harness.call('POST', '/api/message', { chatId, text: `chat-${index}` })));
  const busy = (await harness.call('GET', '/api/status')).body.chats.filter((chat: any) => chat.busy);
  expect(busy.length).toBeGreaterThan(5);
  expect(busy.every((chat: any) => ['model', 'tool'].includes(chat.waitingFor))).toBe(true);
  const ends = await Promise.all(streams.map((stream) => stream.until('turn_end')));
  ends.forEach((end, index) => expect(end).toMatchObject({ chatId: chats[index], reason: 'done', tools: 1 }));
  streams.forEach((stream, index) => {
    expect(stream.text()).toBe(Array.from({ length: 20 }, (_, at) => `chat-${index} ${at} `).join(''));
    expect(stream.events.every((event) => event.chatId === undefined || event.chatId === chats[index])).toBe(true);
    stream.close();
  });
});
