// Tests the revision 2026-07-28 on stdio, and the handshake with servers from before it.
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { answerQuestions, startMcp, type McpHarness } from './mcp-parts.ts';

const server = fileURLToPath(new URL('./stdio-server.mjs', import.meta.url));
let mcp: McpHarness;
beforeEach(async () => {
  mcp = await startMcp();
});
const add = (kind: string): Promise<{ body: any }> => mcp.add({ name: 'own', command: process.execPath, args: [server, kind], timeoutMs: 2_000 });

test.each([
  ['answers the discovery', 'modern'],
  ['answers the discovery late, and no handshake', 'late'],
  ['rejects the discovery with any error', 'error'],
  ['does not answer before the handshake', 'silent'],
  ['exits at a request before the handshake', 'exit'],
])('connects to a server that %s', async (_, kind) => {
  expect((await add(kind)).body).toMatchObject({ ok: true, toolCount: 4 });
  expect(await mcp.run('own_plain')).toMatchObject({ ok: true, output: `"hello from ${kind}"` });
});

test('sends the requested input in a new request', async () => {
  await add('modern');
  const asking = answerQuestions(mcp, (_, options) => options[0] ?? '');
  expect(await mcp.run('own_asking')).toMatchObject({ ok: true, output: '{"sure":{"action":"accept","content":{"sure":true}}}' });
  asking.stop();
});

test('cancels a call by the id that the server received', async () => {
  await add('modern');
  const calls = async (): Promise<unknown> => ((await mcp.run('own_calls')) as { output?: unknown }).output;
  const abort = new AbortController();
  const hanging = mcp.run('own_hang', {}, { signal: abort.signal });
  await expect.poll(calls).toBe('{"isHanging":true,"cancelled":0}');
  abort.abort();
  await expect(hanging).resolves.toMatchObject({ ok: false });
  await expect.poll(calls).toBe('{"isHanging":true,"cancelled":1}');
});
