// Tests the persona in the page: onboarding, live progress, editing and restoring sections.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { whileServerAway } from '../../helpers/browser.ts';
import { axeFaults } from './axe-faults.ts';
import { profile, soul, writesPersona } from './persona-world.ts';
import { settled } from './settled.ts';
import { button, isReady, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const asked = { AGENT_PERSONA_BOOTSTRAP: '1' };
const required = { ...asked, AGENT_PERSONA_BOOTSTRAP_ALLOW_SKIP: '0' };

test('creates a persona by keyboard from one sentence, survives a server restart and does not ask again', async () => {
  let goOn = (): void => undefined;
  const until = new Promise<void>((resolve) => (goOn = resolve));
  const { page, server, model, startAgain, expectFault } = await visit({ environment: required, script: writesPersona(until) });
  expectFault(whileServerAway);
  const resets: string[] = [];
  page.on('request', (request) => void (request.url().endsWith('/api/session/reset') && resets.push(request.url())));
  const dialog = page.getByRole('dialog');
  const field = dialog.getByRole('textbox', { name: 'Description of the agent' });
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.type('A warm librarian.');
  await page.keyboard.press('Enter');
  await dialog.getByText(soul.rails).waitFor();
  await dialog.getByText('Writing the persona…').waitFor();
  expect(await dialog.getByText(soul.voice).count()).toBe(0);
  expect(await axeFaults(page)).toEqual([]);
  await server.stop('SIGKILL');
  goOn();
  const { call } = await startAgain();
  await dialog.getByRole('heading', { name: 'Hello, I am Kea.' }).waitFor();
  await dialog.getByText(profile.summary).waitFor();
  await dialog.getByText('You can read and change every part').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Three steps to start' }).waitFor();
  expect(resets).toEqual([]);
  expect(model.requests.some(({ body }) => JSON.stringify(body.messages).includes('A warm librarian.'))).toBe(true);
  await page.reload();
  await isReady(page);
  expect(await dialog.count()).toBe(0);
  expect((await call('GET', '/api/config')).body).toMatchObject({ personaBootstrapPending: false, personaDisplayLabel: 'Old Kea' });
});

test('offers persona setup after the first message, applies a skip to all tabs and offers it again after a hard reset', async () => {
  const { page, server, openTab } = await visit({ environment: asked, script: [{ text: 'One.', always: true }] });
  const other = await openTab('/');
  const offer = button(page, 'Set up personality');
  await isReady(page);
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await offer.count()).toBe(0);
  await say(page, 'hello');
  await reads(page, 'One.');
  await offer.click();
  await page.getByRole('dialog').getByRole('heading', { name: 'Personality' }).waitFor();
  await button(page.getByRole('dialog'), 'Skip for now').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await offer.waitFor({ state: 'detached' });
  await button(other, 'Set up personality').waitFor({ state: 'detached' });
  await server.call('POST', '/api/session/reset', { mode: 'hard' });
  await say(page, 'hello again');
  await offer.waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await button(page, 'Skip personality').click();
  await offer.waitFor({ state: 'detached' });
  expect((await server.call('GET', '/api/config')).body).toMatchObject({ personaBootstrapPending: false });
});

test('offers no skip when setup is required, shows the error, keeps the input and succeeds on retry', async () => {
  const { page, server, expectFault } = await visit({ environment: required, script: writesPersona() });
  expectFault(/503/);
  const dialog = page.getByRole('dialog');
  await button(dialog, 'A blunt colleague').click();
  expect(await button(dialog, 'Skip for now').count()).toBe(0);
  await page.route('**/api/persona/bootstrap', (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body: JSON.stringify({ error: { code: 'unavailable', message: 'Not now.' } }) }),
  );
  await button(dialog, 'Save').click();
  await dialog.getByRole('alert').getByText('Not now.').waitFor();
  expect(await dialog.getByRole('textbox').inputValue()).toContain('A blunt senior engineer');
  expect(await axeFaults(page)).toEqual([]);
  await page.unroute('**/api/persona/bootstrap');
  const hello = dialog.getByRole('heading', { name: 'Hello, I am Kea.' });
  await page.route('**/api/persona/bootstrap', async (route) => {
    const response = await route.fetch();
    await hello.waitFor();
    await route.fulfill({ response });
  });
  const answered = page.waitForResponse('**/api/persona/bootstrap');
  await button(dialog, 'Try again').click();
  await (await answered).finished();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await hello.waitFor();
  expect((await server.call('GET', '/api/persona')).body).toMatchObject({ label: 'Old Kea' });
});

test('fits persona setup on a portrait phone without horizontal scrolling', async () => {
  const { page } = await visit({
    environment: required,
    script: writesPersona(),
    context: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  });
  const dialog = page.getByRole('dialog');
  await button(dialog, 'A calm mentor').tap();
  const small = await dialog.locator('button').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).filter(({ height }) => height < 44).length);
  expect(small).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await button(dialog, 'Save').tap();
  await button(dialog, 'Done').tap();
  await dialog.waitFor({ state: 'detached' });
});

async function makePersona(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  for (const name of ['A warm librarian', 'Save', 'Done']) await button(dialog, name).click();
  await dialog.waitFor({ state: 'detached' });
}

test('a part is changed by hand, its history shows what changed, and a version is restored', async () => {
  const { page, server, expectFault } = await visit({ script: writesPersona(), environment: required });
  expectFault(/400/);
  await makePersona(page);
  await page.goto(`${server.url}/#/persona`);
  const voice = page.getByRole('listitem', { name: 'Voice' });
  await voice.getByText(soul.voice).waitFor();
  await settled(page);
  expect(await axeFaults(page)).toEqual([]);

  await button(voice, 'Edit Voice').click();
  await voice.getByRole('textbox').fill('Three sentences <b>at most</b>.');
  await button(voice, 'Save').click();
  await voice.getByRole('alert').getByText('This text cannot be used').waitFor();
  await voice.getByRole('textbox').fill('Three sentences at most.');
  await page.keyboard.press('Escape');
  await button(page.getByRole('alertdialog'), 'Keep').click();
  await button(voice, 'History of Voice').click();
  expect(await voice.getByRole('textbox').inputValue()).toBe('Three sentences at most.');
  await button(voice, 'Save').click();
  await voice.getByText('written by you').first().waitFor();
  await expect.poll(() => button(voice, 'Edit Voice').evaluate((element) => element === document.activeElement)).toBe(true);
  await button(voice, 'Changes in version 2').click();
  await voice.locator('.diff-code-insert').getByText('Three sentences at most.').waitFor();
  await voice.locator('.diff-code-delete').getByText(soul.voice).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await button(voice, 'Restore version 1').click();
  await voice.getByText('version 3').first().waitFor();
  expect((await server.call('GET', '/api/persona')).body.slices.find(({ name }: any) => name === 'voice').text).toBe(soul.voice);
});

test('reports a conflicting edit instead of overwriting it, and switches the persona off for one chat', async () => {
  const { page, server, expectFault } = await visit({ script: writesPersona(), environment: required });
  expectFault(/409/);
  await makePersona(page);
  await page.goto(`${server.url}/#/persona`);
  const stance = page.getByRole('listitem', { name: 'Stance' });
  await button(stance, 'Edit Stance').click();
  await stance.getByRole('textbox').fill('You agree.');
  await server.call('PUT', '/api/persona/slices/stance', { text: 'You doubt.', base: 1 });
  await stance.getByText('Current text:').waitFor();
  await button(stance, 'Save').click();
  await stance.getByText('It changed in the meantime, so your text was not saved.').waitFor();
  await button(stance, 'Keep my text').click();
  await button(stance, 'Save').click();
  await stance.getByText('You agree.').waitFor();

  await page.getByRole('switch', { name: /In the chat/ }).click();
  await page.getByRole('switch', { name: /In the chat/, checked: false }).waitFor();
  const { chats } = (await server.call('GET', '/api/chats')).body;
  expect((await server.call('GET', `/api/persona?chatId=${chats[0].chatId}`)).body.chat).toEqual({ off: true });
  // With a second chat it is no first run, whose page has no chat actions.
  await server.call('POST', '/api/chats', { activate: false });
  await page.goto(`${server.url}/#/chat/${chats[0].chatId}`);
  await page.getByRole('button', { name: 'Actions for this chat' }).click();
  await page.getByRole('menuitem', { name: 'Persona on or off here' }).click();
  await page.getByText('“Old Kea” is on in this chat again.').waitFor();
});
