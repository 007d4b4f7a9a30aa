// Tests the model that plays the scripted replies of plugin tests: each reply type reaches the turn like a provider reply.
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { readReplies, startTurnModel, type TurnModel } from '../../../../builtins/connections/plugin-life/testing/turn-model.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';

let model: TurnModel;
let harness: Harness;

beforeEach(async () => {
  const replies = [
    { reasoning: 'Let me see.', text: 'Half of', finish: 'length' },
    { text: ' it.' },
    { status: 401, text: 'That key is none.' },
    { toolCalls: [{ name: 'read_file', args: { path: 'nothing.txt' } }], text: 'I look.' },
    { text: 'Nothing there.' },
  ];
  model = await startTurnModel(readReplies(replies, 'here'));
  onTestFinished(() => model.close());
  const environment = { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'no-key-is-needed', AGENT_MODEL: 'recorded', AGENT_LENGTH_RESUME_MAX: '1' };
  harness = await startHarness({ builtins: ['files', 'model-chat-completions'], environment });
});

async function turn(): Promise<any[]> {
  const { chatId, turnId } = (await harness.call('POST', '/api/message', { text: 'Say it.' })).body;
  await harness.kernel.resolve('turns').ended(turnId);
  const events: any[] = [];
  for await (const event of harness.kernel.resolve('eventLog').read(chatId)) if (event.turnId === turnId) events.push(event);
  return events;
}

const said = (events: any[], channel: string): string =>
  events.flatMap((event) => (event.kind === 'text' && event.channel === channel ? [event.delta] : [])).join('');

test('plays reasoning, truncated, failing and tool-calling replies', async () => {
  const cut = await turn();
  expect([said(cut, 'reasoning'), said(cut, 'user')]).toEqual(['Let me see.', 'Half of it.']);
  expect(cut.at(-1)).toMatchObject({ kind: 'turn_end', reason: 'done', rounds: 2 });
  expect((await turn()).at(-1)).toMatchObject({ reason: 'error', error: { code: 'provider_auth', message: expect.stringContaining('That key is none.') } });
  const called = await turn();
  expect(called.find(({ kind }) => kind === 'tool_result')).toMatchObject({ name: 'read_file', ok: false });
  expect(said(called, 'user')).toBe('I look.Nothing there.');
  expect(model.requests).toHaveLength(5);
  const late = (await turn()).at(-1);
  expect(late).toMatchObject({ reason: 'error', error: { message: expect.stringContaining('No recorded reply is left for request 6') } });
});

test('rejects an invalid reply list with an example', () => {
  for (const wrong of [
    {},
    'text',
    [{ texts: 'x' }],
    [{ text: 1 }],
    [{ finish: 'stop' }],
    [{ status: 200 }],
    [{ status: '503' }],
    [{ reasoning: [] }],
    [{ toolCalls: [{}] }],
  ])
    expect(() => readReplies(wrong, 'a.turn.json')).toThrow('a.turn.json must be a list of replies, such as');
});
