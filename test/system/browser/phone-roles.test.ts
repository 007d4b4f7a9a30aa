// A phone that was paired to chat, and then only to read: what its page shows, and what it does not.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { button, isIdle, messageField, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const small = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };

const isTooWide = (page: Page): Promise<boolean> => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

test('a phone may chat and decides nothing; made a reader, it has no field to write in; nothing is wider than it', async () => {
  const call = { name: 'run_command', args: { command: `touch ${'made'.repeat(30)}` } };
  const { page, server, expectFault } = await visit({ context: small, isForeign: true, script: [{ toolCalls: [call] }, { text: 'Made.' }] });
  expectFault(/40[13]/);
  const { code } = (await server.call('POST', '/api/pair/begin', {})).body;
  await page.goto(`${new URL(page.url()).origin}/#/pair/${code}`);
  await button(page, 'Pair this device').click();
  await page.getByText('There is no chat yet. Begin one at the computer').waitFor();
  const { chatId } = (await server.call('GET', '/api/workspace/current')).body;
  await server.call('POST', `/api/chats/${chatId}/activate`, {});
  await isIdle(page);
  await messageField(page).waitFor();
  // Said by the server, so by now the page knows what it may.
  await expect.poll(() => page.getByRole('button', { name: /^(?:Mode|Model)/ }).count()).toBe(0);
  await say(page, 'make it');
  const note = page.getByRole('note', { name: 'run_command waits for approval' });
  await note.getByText('The owner decides at the computer.').waitFor();
  expect(await page.getByRole('button', { name: /approve|reject|edit/i }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Stop', exact: true }).count()).toBe(1);
  expect(await isTooWide(page)).toBe(false);
  await page
    .getByRole('button', { name: /^(?:open |show )?(?:chats|chat list|menu)/i })
    .first()
    .tap();
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  await links.first().waitFor();
  expect(await links.allTextContents()).toEqual(['Search']);
  expect(await page.getByRole('button', { name: /New chat|Actions for/ }).count()).toBe(0);
  expect(await isTooWide(page)).toBe(false);
  await page.keyboard.press('Escape');

  const [device] = (await server.call('GET', '/api/pair/devices')).body.devices;
  expect((await server.call('PATCH', `/api/pair/devices/${device.id}`, { role: 'view' })).status).toBe(200);
  await page.getByText('This device reads along').waitFor();
  expect(await messageField(page).count()).toBe(0);
  await note.waitFor();
  const [waiting] = (await server.call('GET', '/api/pending?chatId=all')).body.approvals;
  await server.call('POST', '/api/approve', { approvalId: waiting.approvalId, decision: 'approve' });
  await reads(page, 'Made.');
  expect(await note.count()).toBe(0);
  expect(await page.getByRole('button', { name: /Fork|Stop|Send/ }).count()).toBe(0);
  expect(await isTooWide(page)).toBe(false);

  await server.call('DELETE', `/api/pair/devices/${device.id}`);
  await page.getByLabel('Token').waitFor();
});
