// Tests the approvals page over all chats: decisions, shortcuts, the page icon, and turns waiting for a rate limit.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { approvalOf, button, isReady, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

const touch = (file: string) => ({
  toolCalls: [{ name: 'run_command', args: { command: `touch ${file}` } }],
  when: ({ body }: any) => JSON.stringify(body).includes(file),
});
const icon = (page: Page): Promise<string | null> => page.locator('link[rel="icon"]').getAttribute('href');

test('lists approvals of two chats, applies shortcuts to the open one and opens the next after a decision', async () => {
  const script = [touch('one.txt'), touch('two.txt'), { text: 'Done.', always: true }];
  const { page, server, workspace } = await visit({ script });
  const chats: string[] = [];
  for (const name of ['one', 'two']) {
    const { chatId } = (await server.call('POST', '/api/chats', { title: `Chat ${name}` })).body;
    await server.call('POST', '/api/message', { chatId, text: `make ${name}.txt` });
    chats.push(chatId);
    await expect.poll(async () => (await server.call('GET', '/api/pending?chatId=all')).body.approvals.length).toBe(chats.length);
  }
  await page.getByRole('link', { name: /^Approvals/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
  await expect.poll(() => approvalOf(page, 'run_command').count()).toBe(2);
  await expect.poll(() => page.title()).toContain('(2)');
  expect(await icon(page)).toBe('/icon-waiting.svg');
  expect(await button(page, 'Approve').count()).toBe(1);
  await page.keyboard.press('Alt+a');
  await expect.poll(() => existsSync(join(workspace, 'one.txt'))).toBe(true);
  await expect.poll(() => approvalOf(page, 'run_command').count()).toBe(1);
  expect(existsSync(join(workspace, 'two.txt'))).toBe(false);
  await page.getByRole('region', { name: 'Chat two' }).getByText('touch two.txt').first().waitFor();
  // The user’s own action moved the cards, so the next click counts immediately.
  await button(page, 'Approve').click();
  await expect.poll(() => existsSync(join(workspace, 'two.txt'))).toBe(true);
  await page.getByText('No pending decisions.').waitFor();
  expect(await icon(page)).toBe('/icon.svg');
});

test('lists a rate-limited turn with its countdown, and retries and stops it there and in the chat', async () => {
  const limited = { status: 429, headers: { 'retry-after': '28' }, body: { error: { message: 'Too many requests for this key.' } } };
  const { page, server } = await visit({
    environment: { AGENT_RETRY_MAX_DELAY_MS: '30000' },
    script: [limited, { text: 'Here I am.' }, limited, limited],
    context: { viewport: { width: 360, height: 740 } },
  });
  await isReady(page);
  const { chatId } = (await server.call('POST', '/api/chats', { title: 'Busy one' })).body;
  await server.call('POST', '/api/message', { chatId, text: 'Hello.' });
  await page.goto(`${server.url}/#/waiting`);
  const waits = page.getByRole('list', { name: 'Waiting for the model provider' });
  await waits.getByText(/Too many requests for this key\. Attempt 2 of 9 in \d+ s/).waitFor();
  const secondsOf = async (): Promise<number> => Number(/in (\d+) s/.exec((await waits.textContent()) ?? '')?.[1]);
  const first = await secondsOf();
  await expect.poll(secondsOf).toBeLessThan(first);
  expect(await axeFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await button(page, 'Try now: Busy one').press('Enter');
  await page.getByText('No pending decisions.').waitFor();
  await page.goto(`${server.url}/#/chat/${chatId}`);
  await reads(page, 'Here I am.');

  await say(page, 'Again.');
  await reads(page, /Attempt 2 of 9 in \d+ s/);
  expect(await axeFaults(page)).toEqual([]);
  await button(page, 'Try now').press('Enter');
  await reads(page, /Attempt 3 of 9 in \d+ s/);
  await page.goto(`${server.url}/#/waiting`);
  await button(page, 'Stop: Busy one').press('Enter');
  await page.getByText('No pending decisions.').waitFor();
  expect((await server.call('GET', '/api/status')).body.busy).toBe(false);
});
