// Tests approvals of file changes over HTTP, with a scripted model.
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openApiCheck } from '../../helpers/api-check.ts';
import { type EventStream, openEventStream, startHarness, startScriptedModel, useEach } from '../../helpers/in-process.ts';

const model = useEach(() => startScriptedModel());
const harness = useEach(() => startHarness({ environment: { ...model.environment, AGENT_TOOL_LAZY: '0' } }));
const api = useEach(() => openApiCheck(harness));

const body = async (method: string, path: string, sent?: unknown): Promise<any> => (await api.call(method, path, sent)).body;
const ended = (stream: EventStream, turnId: string) => stream.until((event) => event.kind === 'turn_end' && event['turnId'] === turnId);

test('a write outside the workspace shows a diff, and an edit streams its new text', async () => {
  const outside = join(tmpdir(), `outside-${process.pid}.txt`);
  await writeFile(join(harness.workspace, 'a.txt'), 'one\ntwo\n');
  const edits = [{ search: 'one', replace: 'ONE' }, { search: 'two', replace: 'TWO' }]; // prettier-ignore
  model.push(
    { toolCalls: [{ name: 'write_file', args: { path: outside, content: 'hello\n', mode: 'create' } }] },
    { toolCalls: [{ name: 'edit_file', args: { path: 'a.txt', edits }, fragments: 12 }] },
    { text: 'Done.' },
  );
  const stream = await openEventStream(harness);
  const { turnId } = await body('POST', '/api/message', { text: 'go' });
  const approval = await stream.until('tool_approval');
  expect(approval).toMatchObject({ name: 'write_file', effects: ['write'], preview: { kind: 'diff', path: outside, diff: expect.stringContaining('+hello') } });
  await body('POST', '/api/approve', { approvalId: approval['approvalId'], decision: 'reject' });
  await ended(stream, turnId);
  const previews = stream.events.filter((event) => event.kind === 'compose_preview' && event['path'] === 'a.txt');
  expect(previews.map((event) => event['delta']).join('')).toBe('ONE\nTWO');
  expect(await readFile(join(harness.workspace, 'a.txt'), 'utf8')).toBe('ONE\nTWO\n');
});
