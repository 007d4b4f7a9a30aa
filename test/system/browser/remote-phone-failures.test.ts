// Tests a remote phone when its network, a control plane node or the computer fails, and that no node stores plaintext.
import { expect, test } from 'vitest';
import { isIdle, messageField, reads, say } from '../../helpers/use-browser.ts';
import { expectNoMarksInNodes, useOutside } from './use-remote-phone.ts';

const outside = useOutside();

test('reconnects after a reload, a network loss and a server restart, and reports that the computer is unreachable', async () => {
  const { world, pair } = outside();
  const { page } = await pair('full');
  world.model.play([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }, { text: 'Four.' }]);
  await say(page, 'first');
  await reads(page, 'One.');
  await page.reload();
  await isIdle(page);
  await reads(page, 'One.');
  await say(page, 'second');
  await reads(page, 'Two.');

  await page.context().setOffline(true);
  await page.getByText('This device is offline').waitFor();
  await messageField(page).fill('third');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.context().setOffline(false);
  await reads(page, 'Three.');
  await expect.poll(() => page.locator('.link-notice').textContent(), { timeout: 20_000 }).toBe('');

  await world.stopServer('SIGKILL');
  await page.reload();
  await page.getByText(/Your computer (?:does not respond|is not connected)/).waitFor({ timeout: 60_000 });
  await world.startServer();
  await expect.poll(() => page.locator('.link-notice').textContent(), { timeout: 60_000 }).toBe('');
  await isIdle(page);
  await reads(page, 'Three.');
  await say(page, 'fourth');
  await reads(page, 'Four.');
}, 240_000);

test('delivers a streamed reply completely although each node is killed once, and each message once', async () => {
  const { world, pair } = outside();
  const { page } = await pair('full');
  const words = Array.from({ length: 60 }, (_, at) => `word${at} `);
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  world.model.play([{ text: words, delayMs: 50, stallAfter: 30, until }, { text: 'Still here.' }]);
  await say(page, 'count');
  await reads(page, 'word5');
  await world.killNode(0);
  await reads(page, 'word20');
  await world.startNode(0);
  await world.killNode(1);
  release();
  await reads(page, words.join('').trim());
  await world.startNode(1);
  await isIdle(page);
  const { chatId } = (await world.server.call('GET', '/api/workspace/current')).body;
  await say(page, 'and now?');
  await reads(page, 'Still here.');
  const { entries } = (await world.server.call('GET', `/api/chats/${chatId}/transcript`)).body;
  expect(entries.filter(({ text }: { text?: string }) => text === 'count' || text === 'and now?')).toHaveLength(2);
}, 240_000);

test.skipIf(process.platform !== 'linux')(
  'leaves no conversation text in the memory, home or output of a control plane node',
  () => expectNoMarksInNodes(outside(), 10),
  240_000,
);
