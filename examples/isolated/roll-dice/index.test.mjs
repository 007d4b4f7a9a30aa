// Tests roll-dice in a real server: app plugins test examples/isolated/roll-dice
import assert from 'node:assert/strict';
import test from 'node:test';
import { startWithPlugin } from 'agent-harness/testing';

test('rolls within the number of sides and rejects an invalid number', async (t) => {
  const server = await startWithPlugin(new URL('.', import.meta.url));
  t.after(() => server.stop());
  assert.match(await server.command('/dice'), /^You rolled [1-6] of 6\.$/);
  assert.equal(await server.command('/dice 1'), 'Give a number of sides from 2 to 1000.');
});
