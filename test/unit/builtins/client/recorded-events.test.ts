// Compares the chat state built from live events with the state read from the transcript of a real server.
import type { ChatState, Entry, WireEvent } from 'agent-harness/client';
import { expect, it } from 'vitest';
import { readTranscript } from '../../../../builtins/clients/client/read-transcript.ts';
import { reduceEvents } from '../../../../builtins/clients/client/reduce-events.ts';
import { type EventStream, openEventStream } from '../../../helpers/event-stream.ts';
import type { ScriptedReply } from '../../../helpers/scripted-model.ts';
import { emptyChat, type LineServer, startServer } from './parts.ts';

interface Setting extends LineServer {
  readonly stream: EventStream;
}

async function begin(script: readonly ScriptedReply[]): Promise<Setting> {
  const server = await startServer(script);
  return { ...server, stream: await openEventStream(server.harness, { chatId: server.chatId }) };
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

/** Drops the fields that only one source has: composed text, model and start times. */
function comparable({ entries, running, approvals, questions }: ChatState): unknown {
  const strip = (entry: Entry): unknown => (entry.kind === 'tool' ? { ...entry, compose: undefined } : entry);
  return { entries: entries.map(strip), running: running && { ...running, model: undefined, startedAt: undefined, since: undefined }, approvals, questions };
}

async function expectBothWays(setting: Setting): Promise<ChatState> {
  const served = comparable(await fromServer(setting));
  for (const size of [1, 7, 1_000]) expect(comparable(fromEvents(setting, size))).toEqual(served);
  return fromEvents(setting);
}

/** Repeats events that the state already contains and expects no change. */
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
const runTurn = async (setting: Setting, more: object = {}): Promise<unknown> => ended(setting, (await send(setting, 'Go', more)).body.turnId);

it('shows reasoning, text and several calls of one reply', async () => {
  const setting = await begin([
    {
      reasoning: ['Let me ', 'see.'],
      text: ['I write', ' and read.'],
      toolCalls: ['a', 'b'].map((name) => ({ name: 'read_file', args: { path: `${name}.txt` }, fragments: 3 })),
    },
    { text: ['No', ' such', ' files.'] },
  ]);
  await runTurn(setting, { attachments: [{ name: 'n.txt', dataUrl: 'data:text/plain;base64,aGk=' }] });
  const state = await expectBothWays(setting);
  expect(state.entries.map((entry) => entry.kind)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant']);
  expect(state.entries[0]).toMatchObject({ attachments: [{ name: 'n.txt', mimeType: 'text/plain', bytes: 2 }] });
  expect(state.usage).toMatchObject({ input: 20, output: 10 });
  expectNothingTwice(setting, state);
});

it('shows undone changes', async () => {
  const setting = await begin([{ toolCalls: [{ name: 'write_file', args: { path: 'a.txt', content: 'hi' } }] }, { text: 'Written.' }]);
  await runTurn(setting);
  await setting.harness.call('POST', '/api/undo', { chatId: setting.chatId });
  await setting.stream.until('checkpoint_restored');
  const state = await expectBothWays(setting);
  expect(state.entries.at(-1)).toMatchObject({ kind: 'system', code: 'checkpoint_restored', text: 'Changes were undone in 1 file.' });
  expectNothingTwice(setting, state);
});

it('shows no output of a failed attempt', async () => {
  const setting = await begin([
    { text: ['This is ', 'void', '.'], toolCalls: [{ name: 'read_file', args: { path: 'a' }, fragments: 2 }], cutAfter: 5 },
    { text: ['This holds.'] },
  ]);
  await runTurn(setting);
  expect(setting.stream.events.map((event) => event.kind)).toContain('provider_retry');
  const state = await expectBothWays(setting);
  expect(state.entries).toMatchObject([{ text: 'Go' }, { text: 'This holds.', isStreaming: false }]);
  expectNothingTwice(setting, state);
});

it('shows pending approvals and questions, and their outcome', async () => {
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

it('shows queued messages, a stopped turn and a reset', async () => {
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

it('shows the error of a failed turn', async () => {
  const setting = await begin([{ status: 401 }]);
  await runTurn(setting);
  const state = await expectBothWays(setting);
  expect(state.entries.at(-1)).toMatchObject({ kind: 'error', code: 'provider_auth' });
});
