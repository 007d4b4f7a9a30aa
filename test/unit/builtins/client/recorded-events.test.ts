// Events of a real server, taken one way; its transcript, read the other way: a chat looks the same.
import type { ChatState, Entry, WireEvent } from 'agent-harness/client';
import { expect, it } from 'vitest';
import { readTranscript } from '../../../../builtins/clients/client/read-transcript.ts';
import { reduceEvents } from '../../../../builtins/clients/client/reduce-events.ts';
import { type EventStream, openEventStream } from '../../../helpers/event-stream.ts';
import { type Harness, startHarness } from '../../../helpers/harness.ts';
import { type ScriptedModel, type ScriptedReply, startScriptedModel } from '../../../helpers/scripted-model.ts';

interface Setting {
  readonly harness: Harness;
  readonly model: ScriptedModel;
  readonly stream: EventStream;
  readonly chatId: string;
}

async function begin(script: readonly ScriptedReply[], environment: Readonly<Record<string, string>> = {}): Promise<Setting> {
  const model = await startScriptedModel(script);
  const harness = await startHarness({ environment: { ...model.environment, ...environment } });
  const { chatId } = (await harness.call('POST', '/api/chats', {})).body;
  const stream = await openEventStream(harness, { chatId });
  return { harness, model, stream, chatId };
}

function emptyChat(chatId: string): ChatState {
  return { ...{ chatId, isLoaded: true, entries: [], approvals: [], questions: [], lastSignAt: 0 }, usage: { input: 0, output: 0, cached: 0 } };
}

function fromEvents({ stream, chatId }: Setting, batchSize = 1_000): ChatState {
  const events = stream.events.filter((event) => event['chatId'] === chatId) as unknown as WireEvent[];
  let state = emptyChat(chatId);
  for (let from = 0; from < events.length; from += batchSize) {
    const reduced = reduceEvents(state, events.slice(from, from + batchSize), 1);
    expect(reduced.needsReload).toBe(false);
    state = reduced.state;
  }
  return state;
}

async function fromServer({ harness, chatId }: Setting): Promise<ChatState> {
  const [page, status] = await Promise.all([harness.call('GET', `/api/chats/${chatId}/transcript`), harness.call('GET', '/api/status')]);
  const own = status.body.chats.find((one: { chatId: string }) => one.chatId === chatId);
  return readTranscript(emptyChat(chatId), { page: page.body, ...(own ? { status: own } : {}) });
}

/** Without what only one of the two ways can know: what is told live alone, and by which clock a turn began. */
function comparable({ entries, running, approvals, questions }: ChatState): unknown {
  const strip = (entry: Entry): unknown => (entry.kind === 'tool' ? { ...entry, compose: undefined } : entry);
  return { entries: entries.map(strip), running: running && { ...running, model: undefined, startedAt: undefined, since: undefined }, approvals, questions };
}

async function expectBothWays(setting: Setting): Promise<ChatState> {
  const served = comparable(await fromServer(setting));
  for (const size of [1, 7, 1_000]) expect(comparable(fromEvents(setting, size))).toEqual(served);
  return fromEvents(setting);
}

/** Who reads the transcript while events come takes some that are part of it already: any of them again changes nothing. */
function expectNothingTwice(setting: Setting, state: ChatState): void {
  const events = setting.stream.events as unknown as WireEvent[];
  for (let from = 0; from < events.length; from++) {
    const { state: again, needsReload } = reduceEvents(state, events.slice(from), 1);
    if (!needsReload) expect(comparable(again), `again from event ${from}`).toEqual(comparable(state));
  }
}

const send = (setting: Setting, text: string, more: object = {}): Promise<{ body: { turnId: string } }> =>
  setting.harness.call('POST', '/api/message', { text, chatId: setting.chatId, whenBusy: 'queue', ...more });
const ended = ({ stream }: Setting, turnId: string): Promise<unknown> => stream.until((event) => event.kind === 'turn_end' && event['turnId'] === turnId);

it('shows reasoning, text and several calls of one reply', async () => {
  const setting = await begin([
    {
      reasoning: ['Let me ', 'see.'],
      text: ['I write', ' and read.'],
      toolCalls: ['a', 'b'].map((name) => ({ name: 'read_file', args: { path: `${name}.txt` }, fragments: 3 })),
    },
    { text: ['No', ' such', ' files.'] },
  ]);
  const { body } = await send(setting, 'Go', { attachments: [{ name: 'n.txt', dataUrl: 'data:text/plain;base64,aGk=' }] });
  await ended(setting, body.turnId);
  const state = await expectBothWays(setting);
  expect(state.entries.map((entry) => entry.kind)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant']);
  expect(state.entries[0]).toMatchObject({ attachments: [{ name: 'n.txt', mimeType: 'text/plain', bytes: 2 }] });
  expect(state.usage).toMatchObject({ input: 20, output: 10 });
  expectNothingTwice(setting, state);
});

it('shows that changes were taken back', async () => {
  const setting = await begin([{ toolCalls: [{ name: 'write_file', args: { path: 'a.txt', content: 'hi' } }] }, { text: 'Written.' }]);
  const { body } = await send(setting, 'Go');
  await ended(setting, body.turnId);
  await setting.harness.call('POST', '/api/undo', { chatId: setting.chatId });
  await setting.stream.until('checkpoint_restored');
  const state = await expectBothWays(setting);
  expect(state.entries.at(-1)).toMatchObject({ kind: 'system', code: 'checkpoint_restored', text: 'Changes were undone in 1 file.' });
  expectNothingTwice(setting, state);
});

it('shows nothing of an attempt that failed halfway', async () => {
  const setting = await begin([
    { text: ['This is ', 'void', '.'], toolCalls: [{ name: 'read_file', args: { path: 'a' }, fragments: 2 }], cutAfter: 5 },
    { text: ['This holds.'] },
  ]);
  const { body } = await send(setting, 'Go');
  await ended(setting, body.turnId);
  expect(setting.stream.events.map((event) => event.kind)).toContain('provider_retry');
  const state = await expectBothWays(setting);
  expect(state.entries).toMatchObject([{ text: 'Go' }, { text: 'This holds.', isStreaming: false }]);
  expectNothingTwice(setting, state);
});

it('shows what waits for a person, and what was decided', async () => {
  const shell = { name: 'run_command', args: { command: 'touch made-here' } };
  const setting = await begin([
    { text: 'First:', toolCalls: [shell] },
    { toolCalls: [{ name: 'ask_user', args: { prompt: 'Which?', options: ['red', 'blue'] } }] },
    { text: 'Done.' },
  ]);
  const { body } = await send(setting, 'Go');
  const asked = await setting.stream.until('tool_approval');
  const waiting = await expectBothWays(setting);
  expect(waiting).toMatchObject({ approvals: [{ name: 'run_command' }], running: { waitingFor: 'approval' } });
  expect(waiting.entries.at(-1)).toMatchObject({ kind: 'tool', state: 'waiting', approval: { approvalId: asked['approvalId'] } });

  await setting.harness.call('POST', '/api/approve', { approvalId: asked['approvalId'], decision: 'reject', reason: 'Not today.' });
  const question = await setting.stream.until('ask_user');
  const questioned = await expectBothWays(setting);
  expect(questioned).toMatchObject({ approvals: [], questions: [{ prompt: 'Which?' }], running: { waitingFor: 'answer' } });

  await setting.harness.call('POST', '/api/answer', { askId: question['askId'], answer: 'red' });
  await ended(setting, body.turnId);
  const state = await expectBothWays(setting);
  expect(state.entries.filter((entry) => entry.kind === 'tool')).toMatchObject([
    { state: 'denied', decision: { decision: 'reject', by: 'user', reason: 'Not today.' } },
    { state: 'ok', answer: 'red' },
  ]);
  expectNothingTwice(setting, state);
});

it('shows messages that wait, a turn that was stopped, and a reset', async () => {
  const setting = await begin([{ text: ['One ', 'two ', 'three'], stallAfter: 2 }]);
  const first = await send(setting, 'First');
  await setting.stream.until((event) => event.kind === 'text' && event['delta'].includes('two'));
  const second = await send(setting, 'Second');
  await setting.stream.until((event) => event.kind === 'message_accepted' && event['turnId'] === second.body.turnId);
  const waiting = await expectBothWays(setting);
  expect(waiting.entries).toMatchObject([{ state: 'accepted' }, { text: 'One two ', isStreaming: true }, { text: 'Second', state: 'queued' }]);

  await setting.harness.call('POST', '/api/session/abort', { chatId: setting.chatId });
  await ended(setting, first.body.turnId);
  await ended(setting, second.body.turnId);
  await setting.harness.call('POST', '/api/session/reset', { chatId: setting.chatId, mode: 'soft' });
  await setting.stream.until('conversation_reset');
  const state = await expectBothWays(setting);
  expect(state.entries.map((entry) => ('text' in entry ? entry.text : ''))).toEqual([
    ...['First', 'One two ', 'Stopped by the user.', 'Second', 'Withdrawn: the turn before it was stopped, so the model did not get this message.'],
    'The conversation was reset. The model no longer reads the messages above.',
  ]);
  expectNothingTwice(setting, state);
});

it('shows how a turn failed', async () => {
  const setting = await begin([{ status: 401 }]);
  const { body } = await send(setting, 'Go');
  await ended(setting, body.turnId);
  const state = await expectBothWays(setting);
  expect(state.entries.at(-1)).toMatchObject({ kind: 'error', code: 'provider_auth' });
});
