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
  const owner = { kind: 'owner', id: 'owner', role: 'owner' };
  for (const kind of ['approval_decision', 'ask_user_answered']) expect(stream.events.find((event) => event.kind === kind)).toMatchObject({ principal: owner });
  expect(end).toMatchObject({ reason: 'done', rounds: 2, tools: 3, usage: { input: 30, output: 8, cached: 10, cost: 0.002 }, durationMs: expect.any(Number) });
  expect(stream.events.filter((event) => event.kind === 'turn_end')).toHaveLength(1);
});
