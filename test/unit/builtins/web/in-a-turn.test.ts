// Tests the whole path: an HTTP request, the demo model, the real tools, and a page on a local server.
import { expect, test } from 'vitest';
import { startHarness } from '../../../helpers/harness.ts';
import { startFaultServer } from './fault-server.ts';

test('reads a page in a turn and marks the result as untrusted', async () => {
  const server = await startFaultServer();
  const harness = await startHarness({ builtins: ['web', 'model-demo'], environment: { AGENT_WEB_FETCH_ALLOWED_HOSTS: server.host } });
  const results: unknown[] = [];
  harness.kernel.emitter.on('tool_result', (result) => void results.push(result));
  const { body: chat } = await harness.call('POST', '/api/chats', { workspaceMode: 'scratch' });
  const { body: sent } = await harness.call('POST', '/api/message', { chatId: chat.chatId, text: `fetch ${server.url}/docs` });
  const ended = await harness.kernel.resolve('turns').ended(sent.turnId);
  expect(ended?.reason).toBe('done');
  const { body } = await harness.call('GET', `/api/chats/${chat.chatId}/transcript`);
  expect(body.entries.find((entry: any) => entry.kind === 'tool')).toMatchObject({ name: 'web_fetch', ok: true });
  expect(body.entries.findLast((entry: any) => entry.kind === 'assistant').text).toContain('API reference');
  expect(results).toEqual([expect.objectContaining({ name: 'web_fetch', ok: true, untrusted: true })]);
  expect(results[0]).not.toHaveProperty('fromWorkspace');
  expect(server.count('/docs')).toBe(1);
});
