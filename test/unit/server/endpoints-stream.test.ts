// Tests `GET /api/stream`: every event kind of a session with its declared fields, and resuming.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, expect, test } from 'vitest';
import { wireEvents as agentEvents } from '../../../plugins/agent/wire-events.ts';
import { wireEvents as chatEvents } from '../../../plugins/chats/wire-events.ts';
import { providerRetryEvent, usageEvent } from '../../../plugins/models/wire-events.ts';
import { policyEvents } from '../../../plugins/policy/policy-events.ts';
import { kernelWireEvents } from '../../../plugins/settings/wire-events.ts';
import { type EventStream, type Harness, openEventStream, startHarness, startScriptedModel, type StreamEvent, useEach } from '../../helpers/in-process.ts';

let harness: Harness;
const model = useEach(() => startScriptedModel());
beforeEach(async () => {
  // A command that was tried before its approval emits no progress while it runs.
  harness = await startHarness({ environment: { ...model.environment, AGENT_EFFECT_PREVIEW: '0' } });
});

const call = async (method: string, path: string, body?: unknown) => (await harness.call(method, path, body)).body;
const kinds = (events: readonly StreamEvent[]): string[] => [...new Set(events.map((event) => event.kind))].filter((kind) => kind !== 'harness_running').sort();

async function playSession(stream: EventStream): Promise<StreamEvent> {
  await writeFile(join(harness.workspace, 'a.txt'), 'one\n');
  model.push(
    { status: 503 },
    {
      reasoning: ['Let me ', 'see.'],
      text: ['I will ', 'work.'],
      toolCalls: [
        { name: 'write_file', args: { path: 'b.txt', content: 'first\nsecond "quoted"\n', mode: 'create' }, fragments: 9 },
        { name: 'run_command', args: { command: 'touch c.txt && echo hello' }, fragments: 2 },
        { name: 'ask_user', args: { prompt: 'Which?', options: ['left', 'right'] } },
      ],
    },
    { text: 'Done.', usage: { input: 20, output: 3, cached: 10, cost: 0.002 } },
  );
  const { turnId } = await call('POST', '/api/message', { text: 'go', clientId: 'mine' });
  const { approvalId } = await stream.until('tool_approval');
  await call('POST', '/api/approve', { approvalId, decision: 'approve', reason: 'fine' });
  const { askId } = await stream.until('ask_user');
  await call('POST', '/api/answer', { askId, answer: 'left' });
  return stream.until((event) => event.kind === 'turn_end' && event['turnId'] === turnId);
}

test('each event has exactly its declared fields', async () => {
  const stream = await openEventStream(harness, { chatId: 'all' });
  const end = await playSession(stream);
  const { chatId } = end;
  await call('PATCH', `/api/chats/${chatId}`, { title: 'Named' });
  await call('PUT', '/api/settings', { harness: { env: { AGENT_UI_VERBOSITY: 'quiet' } } });
  await call('PUT', '/api/plugins/rule-recall', { disabled: true });
  await call('POST', '/api/undo', {});
  await call('POST', '/api/session/reset', { mode: 'soft' });
  await stream.until((event) => event['change'] === 'reset');

  const ajv = new Ajv2020({ strict: false });
  const declared = [...agentEvents, ...chatEvents, ...policyEvents, ...kernelWireEvents, usageEvent, providerRetryEvent];
  for (const event of stream.events) {
    const schema = declared.find((one) => one.name === event.kind)?.schema;
    if (!schema) continue;
    const { id, kind, at, ...payload } = event;
    expect(Number.isInteger(id), kind).toBe(true);
    expect(at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(ajv.validate({ ...schema, additionalProperties: false }, payload), `${kind} ${ajv.errorsText()} ${JSON.stringify(payload)}`).toBe(true);
  }
  expect(kinds(stream.events)).toEqual(
    [
      ...['connected', 'message_accepted', 'turn_start', 'text', 'tool_start', 'tool_delta', 'tool_result', 'compose_preview', 'tool_approval'],
      ...['approval_decision', 'ask_user', 'ask_user_answered', 'provider_retry', 'usage', 'turn_end', 'chat_switched', 'chat_updated'],
      ...[
        ...['settings_changed', 'config_changed', 'plugin_changed', 'conversation_reset', 'checkpoint_restored', 'tool_progress', 'tool_running'],
        'provider_data',
      ],
    ].sort(),
  );
  expect(end).toMatchObject({ reason: 'done', rounds: 2, tools: 3, usage: { input: 30, output: 8, cached: 10, cost: 0.002 }, durationMs: expect.any(Number) });
  expect(stream.events.filter((event) => event.kind === 'turn_end')).toHaveLength(1);
});

test('events contain the fields that clients rely on', async () => {
  const stream = await openEventStream(harness);
  const { chatId, turnId } = await playSession(stream);
  const first = (kind: string): any => stream.events.find((event) => event.kind === kind);
  const all = (kind: string): any[] => stream.events.filter((event) => event.kind === kind);
  expect(first('connected')).toEqual({ kind: 'connected', at: expect.any(String), chatId, serverVersion: expect.any(String), cursor: expect.any(Number) });
  expect(first('message_accepted')).toMatchObject({ chatId, turnId, text: 'go', attachments: [], clientId: 'mine', messageId: expect.stringMatching(/^msg_/) });
  expect(first('turn_start')).toMatchObject({ turnId, messageId: first('message_accepted').messageId, model: 'scripted' });
  expect(first('provider_retry')).toMatchObject({ turnId, attempt: 1, of: 8, reason: expect.stringContaining('503'), delayMs: expect.any(Number) });
  expect(all('text').map((event) => [event.channel, event.offset, event.delta])).toEqual([
    ['reasoning', 0, 'Let me '],
    ['reasoning', 7, 'see.'],
    ['user', 0, 'I will '],
    ['user', 7, 'work.'],
    ['user', 0, 'Done.'],
  ]);

  const previews = all('compose_preview');
  expect(previews.map((event) => event.delta).join('')).toBe('first\nsecond "quoted"\n');
  previews.reduce((offset, event) => (expect(event.offset).toBe(offset), offset + event.delta.length), 0);
  expect(previews.at(-1)).toMatchObject({ path: 'b.txt', lines: 3, done: true });
  const { callId } = previews[0];
  expect(all('tool_start').filter((event) => event.callId === callId)).toMatchObject([{ name: 'write_file' }, { args: { path: 'b.txt', mode: 'create' } }]);
  const deltas = all('tool_delta').filter((event) => event.callId === callId);
  expect(JSON.parse(deltas.map((event) => event.argsDelta).join(''))).toMatchObject({ path: 'b.txt' });

  const approval = first('tool_approval');
  expect(approval).toMatchObject({
    name: 'run_command',
    args: { command: 'touch c.txt && echo hello' },
    effects: expect.arrayContaining(['execute']),
    preview: { kind: 'command', command: 'touch c.txt && echo hello', cwd: harness.workspace },
  });
  // By default an approval waits without a limit.
  expect(approval.expiresAt).toBeUndefined();
  expect(first('approval_decision')).toMatchObject({
    approvalId: approval.approvalId,
    callId: approval.callId,
    decision: 'approve',
    by: 'user',
    reason: 'fine',
    principal: { kind: 'owner', id: 'owner', role: 'owner' },
  });
  expect(first('ask_user')).toMatchObject({ prompt: 'Which?', options: ['left', 'right'] });
  const principal = { kind: 'owner', id: 'owner', role: 'owner' };
  expect(first('ask_user_answered')).toMatchObject({ askId: first('ask_user').askId, answer: 'left', principal });
  expect(all('tool_result').map((event) => [event.name, event.ok])).toEqual([['write_file', true], ['run_command', true], ['ask_user', true]]); // prettier-ignore
  expect(all('usage')[1]).toMatchObject({ input: 20, output: 3, cached: 10, cost: 0.002, purpose: 'chat', model: 'scripted' });
});
