// Tests say-hello in a real server: app plugins test examples/isolated/say-hello
import assert from 'node:assert/strict';
import test from 'node:test';
import { startWithPlugin } from 'agent-harness/testing';

test('greets by name', async (t) => {
  const server = await startWithPlugin(new URL('.', import.meta.url));
  t.after(() => server.stop());
  assert.deepEqual(await server.tool('say_hello_to', { who: 'Ada' }), { ok: true, output: 'Hello, Ada!' });
});
