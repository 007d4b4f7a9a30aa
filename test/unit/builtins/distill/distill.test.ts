import { expect, test } from 'vitest';
import { startScriptedModel, type ScriptedReply, type ScriptedRequest } from '../../../helpers/scripted-model.ts';
import { addTools, type AgentBench, ownTool, useAgentBench } from '../../plugins/agent/agent-bench.ts';

const open = useAgentBench(() => ({ builtins: ['model-chat-completions', 'artifacts', 'distill'] }));
const output = `head of it\n${'a row of the table\n'.repeat(1_200)}tail of it`;
const summary = 'A table of 1,200 rows that all say the same.';
const isHelper = ({ body }: ScriptedRequest): boolean => body.model === 'fast';

interface Run {
  readonly bench: AgentBench;
  readonly helpers: readonly ScriptedRequest[];
  readonly read: string;
  readonly result: any;
}

async function run(answer: unknown, helper: ScriptedReply = { text: summary }, more: { on?: string; tool?: string } = {}): Promise<Run> {
  const { on = '1', tool = 'look' } = more;
  const model = await startScriptedModel((request) => {
    if (isHelper(request)) return helper;
    return request.body.messages.some((message: any) => message.role === 'tool') ? { text: 'done' } : { toolCalls: [{ name: tool }] };
  });
  const bench = await open(addTools(ownTool(tool, () => answer)), { environment: { ...model.environment, AGENT_FAST_MODEL: 'fast', AGENT_DISTILL: on } });
  const { turnId } = (await bench.send('what is in the table?')).body;
  expect(await bench.ended(turnId)).toMatchObject({ reason: 'done' });
  await model.close();
  const asked = model.requests.filter((request) => !isHelper(request));
  const read = asked[1]?.body.messages.find((message: any) => message.role === 'tool').content as string;
  return { bench, helpers: model.requests.filter(isHelper), read, result: bench.stream.events.find((event) => event.kind === 'tool_result') };
}

test('AGENT_DISTILL=1 shows a summary of huge output and stores the full text as an artifact', async () => {
  const { bench, helpers, read, result } = await run(output);
  expect(read).toContain(summary);
  expect(read.length).toBeLessThan(2_000);
  expect(read).toContain('head of it');
  expect(read).toContain('tail of it');
  const [id = ''] = /[0-9a-f]{64}/.exec(read) ?? [];
  expect(result).toMatchObject({ ok: true, artifactId: id, truncated: true });
  expect((await bench.call('GET', `/api/artifacts/${id}`)).body).toBe(output);
  expect(helpers).toHaveLength(1);
  expect(JSON.stringify(helpers[0]?.body.messages)).toContain('what is in the table?');
  expect(bench.stream.events.filter((event) => event.kind === 'usage').map((event) => event['purpose'])).toEqual(['chat', 'distill', 'chat']);
});

test('AGENT_DISTILL is off by default', async () => {
  const { helpers, read } = await run(output, undefined, { on: '' });
  expect(helpers).toEqual([]);
  expect(read).toBe(output);
});

test('keeps output below 16,000 characters', async () => {
  const short = 'x'.repeat(15_999);
  const { helpers, read } = await run(short);
  expect(helpers).toEqual([]);
  expect(read).toBe(short);
});

test('summarizes truncated output from its full text', async () => {
  const long = `${'row of a very long table\n'.repeat(3_000)}the last row says PLUM`;
  const { bench, helpers, read } = await run(long);
  expect(JSON.stringify(helpers[0]?.body.messages)).toContain('the last row says PLUM');
  const [id = ''] = /[0-9a-f]{64}/.exec(read) ?? [];
  expect((await bench.call('GET', `/api/artifacts/${id}`)).body).toBe(long);
});

test('marks the summary of external content as external', async () => {
  const { read, result } = await run({ ok: true, output, isUntrusted: true });
  expect(result.untrusted).toBe(true);
  expect(read).toContain('external data');
  expect(read).toContain(summary);
});

test('summarizes a huge error and keeps the call failed', async () => {
  const { read, result } = await run({ ok: false, error: output });
  expect(result.ok).toBe(false);
  expect(read).toContain(summary);
});

test.each<[string, ScriptedReply]>([
  ['fails', { status: 400, body: { error: { message: 'no' } } }],
  ['returns a longer text', { text: 'y'.repeat(30_000) }],
])('keeps the output when the fast model %s', async (_, helper) => {
  const { read } = await run(output, helper);
  expect(read).toBe(output);
});

test('does not summarize the result of read_file', async () => {
  const { helpers, read } = await run(output, undefined, { tool: 'read_file' });
  expect(helpers).toEqual([]);
  expect(read).toBe(output);
});

test('a stopped turn does not wait for the summary', async () => {
  const model = await startScriptedModel((request) => (isHelper(request) ? { until: new Promise(() => undefined) } : { toolCalls: [{ name: 'look' }] }));
  const bench = await open(addTools(ownTool('look', () => output)), { environment: { ...model.environment, AGENT_FAST_MODEL: 'fast', AGENT_DISTILL: '1' } });
  const { turnId } = (await bench.send('go')).body;
  await model.request(1);
  expect((await bench.abort()).ms).toBeLessThan(1_500);
  expect(await bench.ended(turnId)).toMatchObject({ reason: 'aborted' });
});
