// Tests the Pulse strip: heartbeat status, the nudge with its reason and actions, without moving the page.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button, conversation, isIdle, messageField, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const nudge = 'Nobody has said yet who reviews the migration before it is deployed on Friday afternoon.';
const thought = { reflections: ['They deploy on Fridays.'], memoryCandidates: [], nudge: { text: nudge, confidence: 0.93 } };
const script = [
  {
    when: ({ body }: any) => String(body.messages[0].content).startsWith('You review the last exchange'),
    always: true,
    ...{ text: JSON.stringify(thought), usage: { input: 300, output: 40, cost: 0.0004 } },
  },
  { text: 'It deploys on Friday.', always: true },
];
const environment = { AGENT_HEARTBEAT: '1', AGENT_HEARTBEAT_UI_STRIP: '1', AGENT_HEARTBEAT_IDLE_MS: '5000', AGENT_HEARTBEAT_SURFACE: 'assistant' };
const strip = (page: Page) => page.getByRole('region', { name: 'Pulse', exact: true });
const line = (page: Page) => strip(page).getByRole('button', { name: /^Pulse/ });
const details = (page: Page) => page.getByRole('dialog', { name: 'Pulse' });
const placeOf = async (page: Page) => [await messageField(page).boundingBox(), await strip(page).boundingBox()];

test('shows the status and the nudge without moving the page, and applies mute, feedback and reply', async () => {
  const { page, server } = await visit({ script, environment });
  await isIdle(page);
  await strip(page).getByText('Waits for your first message').waitFor();
  await say(page, 'Please plan the deploy.');
  await reads(page, 'It deploys on Friday.');
  await isIdle(page);
  const before = await placeOf(page);
  await strip(page).getByText(nudge).waitFor();
  expect(await placeOf(page)).toEqual(before);
  await conversation(page).getByText(nudge).waitFor();
  expect(await axeFaults(page)).toEqual([]);

  await line(page).click();
  await details(page).getByText('confidence 93 %').waitFor();
  await details(page).getByRole('link', { name: '“Please plan the deploy.”' }).waitFor();
  await details(page).getByText('1 run, 1 nudge: 0 used, 0 dismissed; $0.0004').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await button(details(page), 'Less of this').click();
  await details(page).getByText('need a confidence of at least 93 %').waitFor();
  await button(details(page), 'Undo').click();
  await details(page).getByText('need a confidence of at least').waitFor({ state: 'detached' });
  await button(details(page), 'Mute until tomorrow').click();
  await details(page).getByText('Muted until tomorrow').first().waitFor();
  await button(details(page), 'Unmute').click();
  await button(details(page), 'Mute until tomorrow').waitFor();
  await page.keyboard.press('Escape');
  await details(page).waitFor({ state: 'detached' });
  expect(await placeOf(page)).toEqual(before);

  await page.setViewportSize({ width: 360, height: 740 });
  await strip(page).getByText(nudge).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await axeFaults(page)).toEqual([]);
  await line(page).click();
  await button(details(page), 'Dismiss').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 800 });

  await button(strip(page), 'Reply to the nudge').click();
  await expect.poll(() => messageField(page).inputValue()).toBe(`> ${nudge}\n\n`);
  await strip(page).getByText(/^Ran /).waitFor();
  await page.reload();
  await strip(page).getByText(/^Ran /).waitFor();
  expect((await server.call('GET', '/api/heartbeat')).body.today).toMatchObject({ shown: 1, used: 1, dismissed: 0 });
});

test('shows no strip without the setting', async () => {
  const { page } = await visit({ script, environment: { AGENT_HEARTBEAT: '1' } });
  await isIdle(page);
  await messageField(page).waitFor();
  expect(await page.locator('.pulse').count()).toBe(0);
});
