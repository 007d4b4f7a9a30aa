// The server pool: a test that leaves nothing behind passes its server to the next test, and a test that leaves something does not.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isReady, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const servers: number[] = [];

test('a test takes a server and talks', async () => {
  const { page, server } = await visit({ script: [{ text: 'The lamp is lit.' }] });
  await isReady(page);
  await say(page, 'Light it');
  await reads(page, 'The lamp is lit.');
  servers.push(server.pid);
});

test('the next one has the same server, without its chats, and leaves a file behind', async () => {
  const { page, server, home } = await visit();
  await isReady(page);
  expect((await server.call('GET', '/api/chats')).body.chats).toHaveLength(1);
  await writeFile(join(home, 'settings.json'), '{}');
  servers.push(server.pid);
});

test('the one after that has a server of its own', async () => {
  const { server } = await visit({ isClosed: true });
  const [first, second] = servers;
  expect(second).toBe(first);
  expect(server.pid).not.toBe(first);
});
