import { expect, test } from 'vitest';
import { runTurn } from '../../../helpers/event-stream.ts';
import { type Harness, startHarness } from '../../../helpers/harness.ts';
import { type ScriptedReply, type ScriptedRequest, startScriptedModel } from '../../../helpers/scripted-model.ts';
import { addTools, ownTool } from '../../plugins/agent/agent-bench.ts';
import { quiet } from './long-chat.ts';

const window = 12_000;
const tokensOf = ({ body }: ScriptedRequest): number => Math.ceil(JSON.stringify([body.tools ?? [], body.system ?? '', body.messages]).length / 4);

/** A provider that accepts `window` tokens, while the settings assume 128,000. It calls a tool in each round of a turn. */
async function startWithWindow(
  refusal: (request: ScriptedRequest) => ScriptedReply,
): Promise<{ readonly harness: Harness; readonly refused: ScriptedRequest[] }> {
  let round = 0;
  const refused: ScriptedRequest[] = [];
  const model = await startScriptedModel((request) => {
    if (tokensOf(request) + request.body.max_tokens > window) {
      refused.push(request);
      return refusal(request);
    }
    round++;
    return round % 12 === 0 ? { text: 'done' } : { toolCalls: [{ name: 'look', args: { round } }] };
  });
  const look = ownTool('look', ({ round: of }: { round: number }) => `page ${of}\n${'some words of a page\n'.repeat(200)}`);
  const own = { manifest: { name: 'own' }, register: addTools(look) } as never;
  const harness = await startHarness({ ...quiet, environment: model.environment, modules: { own } });
  return { harness, refused };
}

const telling = (request: ScriptedRequest): ScriptedReply => ({
  status: 400,
  body: {
    error: {
      code: 'context_length_exceeded',
      message: `This model's maximum context length is ${window} tokens. However, you requested ${tokensOf(request) + request.body.max_tokens} tokens (${tokensOf(request)} in the messages, ${request.body.max_tokens} in the completion).`,
    },
  },
});

test.each([
  ['with token counts', telling, 1],
  ['with the window size only', () => ({ status: 400, body: { error: { message: `prompt is too long: the context window is ${window}` } } }), 1],
  ['without a number', () => ({ status: 400, body: { error: { message: 'Input is too long for requested model.' } } }), 4],
])('shortens a request that is refused as too long %s, and remembers the window', async (_, refusal, most) => {
  const { harness, refused } = await startWithWindow(refusal);
  const first = await runTurn(harness, 'Read all pages.');
  expect(first.end).toMatchObject({ reason: 'done', rounds: 12 });
  const traces = first.events.filter((event) => event.kind === 'text' && event['channel'] === 'trace');
  expect(traces).toHaveLength(refused.length);
  expect(traces[0]?.['delta']).toContain('sent again in a shorter form');
  expect(refused.length).toBeGreaterThanOrEqual(1);
  expect(refused.length).toBeLessThanOrEqual(most);
  const known = refused.length;
  const { events, end } = await runTurn(harness, 'Read them again.');
  expect(end).toMatchObject({ reason: 'done', rounds: 12 });
  expect(refused.length).toBe(known);
  expect(events.some((event) => event.kind === 'provider_retry')).toBe(false);
  // Another chat with the same model uses the learned window.
  await harness.call('POST', '/api/chats', { workspaceMode: 'scratch' });
  expect((await runTurn(harness, 'And here?')).end).toMatchObject({ reason: 'done' });
  expect(refused.length).toBe(known);
});

test('keeps the learned window after a restart', async () => {
  const refused: ScriptedRequest[] = [];
  const model = await startScriptedModel((request) => {
    if (tokensOf(request) + request.body.max_tokens <= window) return { text: 'done' };
    refused.push(request);
    return telling(request);
  });
  // The default reply limit alone exceeds the window.
  const options = { ...quiet, environment: model.environment };
  const first = await startHarness(options);
  expect((await runTurn(first, 'Hello.')).end).toMatchObject({ reason: 'done' });
  expect(refused).toHaveLength(1);
  expect(await first.close({ keepFiles: true })).toEqual([]);
  const second = await startHarness({ ...options, home: first.home, workspace: first.workspace });
  expect((await runTurn(second, 'Hello again.')).end).toMatchObject({ reason: 'done' });
  expect(refused).toHaveLength(1);
});

test('ends the turn with context_overflow and advice when the request cannot be shortened enough', async () => {
  const model = await startScriptedModel(() => telling({ body: { messages: ['x'.repeat(80_000)], max_tokens: 1_000 } } as ScriptedRequest));
  const harness = await startHarness({ ...quiet, environment: model.environment });
  const { end } = await runTurn(harness, 'Hello.');
  expect(end).toMatchObject({
    reason: 'error',
    error: { code: 'context_overflow', message: expect.stringMatching(/longer than the model .* accepts.*begin a new chat/) },
  });
  expect(model.requests.length).toBeLessThanOrEqual(4);
});
