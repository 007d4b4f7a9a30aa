import { expect, test } from 'vitest';
import type { ModelMessage, ModelRequest } from 'agent-harness/plugins/models';
import { createWellFormed, type Form } from '../../../../plugins/models/well-formed.ts';

const here = { wire: 'chat-completions', baseURL: 'http://one/v1' } as const;
const wellFormed = createWellFormed();
const shape = (messages: readonly ModelMessage[], form: Partial<Form> = {}, request: Partial<ModelRequest> = {}): readonly any[] =>
  wellFormed(
    { system: '', messages, tools: [], maxTokens: 9, purpose: 'chat', ...request },
    { route: here, alternates: true, omit: new Set(), isRefused: () => false, ...form },
  ).messages;
const user = (text: string): ModelMessage => ({ role: 'user', text });
const said = (text: string): ModelMessage => ({ role: 'assistant', text, toolCalls: [] });
const note = (text: string): ModelMessage => ({ role: 'system', text });
const calls = (...ids: string[]): ModelMessage => ({ role: 'assistant', text: '', toolCalls: ids.map((id) => ({ id, name: 'x', argsText: '{}' })) });
const result = (callId: string, text = 'ok'): ModelMessage => ({ role: 'tool', callId, name: 'x', text, isError: false });
const roles = (messages: readonly any[]): string => messages.map(({ role }) => role).join(' ');

test.each<[string, ModelMessage[], string]>([
  ['notes are merged into the previous message', [user('a'), note('n'), said('b'), user('c'), note('m')], 'user assistant user'],
  ['notes after a result are merged into it', [user('a'), calls('1'), result('1'), note('n')], 'user assistant tool'],
  ['a note at the start is a separate message', [note('n'), said('b'), user('c')], 'user assistant user'],
  ['consecutive user messages are merged', [user('a'), user('b'), said('c'), user('d')], 'user assistant user'],
  ['consecutive assistant messages are merged', [user('a'), said('b'), said('c'), user('d')], 'user assistant user'],
  ['an assistant message separates a result and a user message', [user('a'), calls('1'), result('1'), user('b')], 'user assistant tool assistant user'],
  ['the first message is a user message', [said('a'), user('b')], 'user assistant user'],
  ['the last message is a user message', [user('a'), said('b')], 'user assistant user'],
  ['a call without a result gets one', [user('a'), calls('1', '2'), result('2'), said('c'), user('d')], 'user assistant tool tool assistant user'],
  ['results follow the order of their calls', [user('a'), calls('1', '2'), result('2'), note('n'), result('1')], 'user assistant tool tool'],
  ['a result without a call becomes text', [user('a'), result('9'), said('b'), user('c')], 'user assistant user'],
  [
    'a duplicate result is dropped',
    [user('a'), calls('1'), result('1'), result('1'), said('b'), user('c')],
    'user assistant tool assistant user assistant user',
  ],
])('%s', (_, messages, expected) => expect(roles(shape(messages))).toBe(expected));

test('ids have nine letters and digits, are unique, and are stable across requests', () => {
  const messages = [user('a'), calls('earlier_digest', 'call_1'), result('call_1'), result('earlier_digest'), calls('call_1'), result('call_1'), user('b')];
  const ids = shape(messages).flatMap((one) => (one.role === 'tool' ? [one.callId] : (one.toolCalls ?? []).map(({ id }: any) => id)));
  expect(ids.every((id) => /^[a-zA-Z0-9]{9}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(3);
  expect(ids.slice(0, 2)).toEqual(ids.slice(2, 4));
  expect(shape([...messages, said('c'), user('d')]).slice(0, messages.length)).toEqual(shape(messages).slice(0, messages.length));
});

test('ten thousand ids are distinct', () => {
  const messages = Array.from({ length: 10_000 }, (_, at) => [calls(`call_${at}`), result(`call_${at}`)]).flat();
  const ids = shape(messages).flatMap((one) => (one.toolCalls ?? []).map(({ id }: any) => id));
  expect(new Set(ids).size).toBe(10_000);
});

test.each(['browser.tabs.open', 'read_file<|channel|>commentary', 'view_file" path="a.txt', '$lookup', 'x'.repeat(200), 'read file', '', '9lives', '工具'])(
  'the name %s becomes a valid one',
  (name) => {
    const [, made, answer] = shape([
      user('a'),
      { role: 'assistant', text: '', toolCalls: [{ id: '1', name, argsText: '[]' }] },
      { ...result('1'), name } as ModelMessage,
    ]);
    expect(made.toolCalls[0].name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
    expect(answer.name).toBe(made.toolCalls[0].name);
    expect(made.toolCalls[0].argsText).toBe('{}');
  },
);

test('texts, keys and arguments contain no half surrogate pair', () => {
  const half = '\ud83d';
  const messages: ModelMessage[] = [
    user(`hi ${half}`),
    { role: 'assistant', text: half, toolCalls: [{ id: '1', name: 'x', argsText: '{"a\\ud99c":["\\udc00", "\\ud83d\\ude00"]}' }] },
    result('1', half),
    note(half),
  ];
  const shaped = shape(messages);
  expect(JSON.parse(shaped[1].toolCalls[0].argsText)).toEqual({ 'a\ufffd': ['\ufffd', '😀'] });
  expect(JSON.stringify(shaped)).not.toMatch(/\\ud[89a-f]/i);
});

test('provider data is sent only to its own wire and base URL, with the ids of the request', () => {
  const providerData = { ...here, data: { message: { reasoning_details: [{ id: 'c1', data: 'sealed' }] } } };
  const messages: ModelMessage[] = [user('a'), { ...calls('c1'), providerData } as ModelMessage, result('c1'), user('b')];
  const [, kept] = shape(messages);
  expect(kept.providerData.data.message.reasoning_details).toEqual([{ id: kept.toolCalls[0].id, data: 'sealed' }]);
  for (const route of [
    { ...here, baseURL: 'http://two/v1' },
    { ...here, wire: 'messages' as const },
  ])
    expect(shape(messages, { route })[1]).not.toHaveProperty('providerData');
  expect(shape(messages, { omit: new Set(['reasoning']) })[1]).not.toHaveProperty('providerData');
});

test('without tools, calls and results become text', () => {
  const shaped = shape(
    [user('a'), calls('1'), result('1', 'one'), said('b'), user('c')],
    { omit: new Set(['tools']) },
    { tools: [{ name: 'x', description: '', input: {} }] },
  );
  expect(roles(shaped)).toBe('user assistant user assistant user');
  expect(shaped[1].text).toBe('[Called x with {}]');
  expect(shaped[2].text).toBe('[Result of x]\none');
});

test('tool images are in a user message after all results of the reply', () => {
  const images = [{ mimeType: 'image/png', base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==' }];
  const shaped = shape([user('a'), calls('1', '2'), { ...result('1'), images } as ModelMessage, result('2'), note('n')]);
  expect(roles(shaped)).toBe('user assistant tool tool assistant user');
  expect(shaped.at(-1)).toMatchObject({ text: 'Images from x:\n\n<system-note>\nn\n</system-note>', images });
  const cut = shape([user('a'), calls('1'), { ...result('1'), images: [{ mimeType: 'image/png', base64: images[0]!.base64.slice(0, 40) }] } as ModelMessage]);
  expect(cut.at(-1).text).toContain('Image omitted: it ');
});

test('a well-formed message stays the same object, so that it is serialized once', () => {
  const messages = [user('a'), said('b'), user('c')];
  const shaped = shape(messages);
  shaped.forEach((message, at) => expect(message).toBe(messages[at]));
  expect(shape([...messages, said('d'), user('e')])[0]).toBe(messages[0]);
});
