// The pages beside the chat: settings, plugins, usage, search.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { isReady, reads, say, useBrowser } from './use-browser.ts';

const visit = useBrowser();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('a key that the environment decides is locked and says why; another one is changed, survives, and goes back to its default', async () => {
  const { page, server } = await visit();
  await page.goto(`${server.url}/#/settings`);
  await heading(page, 'Settings').waitFor();
  const { fields } = (await server.call('GET', '/api/settings')).body;
  const locked = fields.find((field: any) => field.key === 'AGENT_MODEL');
  const free = fields.find((field: any) => field.key === 'AGENT_MAX_ROUNDS');
  expect([locked.locked, free.locked]).toEqual([true, false]);
  const search = page.getByRole('searchbox', { name: 'Search settings' });

  await search.fill('AGENT_MODEL');
  const lockedField = page.getByLabel(locked.label, { exact: true });
  await lockedField.first().waitFor();
  expect(await lockedField.first().evaluate((field: HTMLInputElement) => field.disabled || field.readOnly)).toBe(true);
  await page
    .getByText(/environment/i)
    .first()
    .waitFor();

  await search.fill('AGENT_MAX_ROUNDS');
  const field = page.getByLabel(free.label, { exact: true });
  await field.fill('7');
  await page.getByRole('button', { name: 'Save' }).click();
  const value = async (): Promise<unknown> => (await server.call('GET', '/api/settings')).body.fields.find((one: any) => one.key === 'AGENT_MAX_ROUNDS');
  await expect.poll(value).toMatchObject({ value: 7, source: 'preferences' });
  await page.reload();
  await search.fill('AGENT_MAX_ROUNDS');
  await expect.poll(() => field.inputValue()).toBe('7');
  await page
    .getByRole('button', { name: /^reset/i })
    .first()
    .click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(value).toMatchObject({ value: free.default, source: 'default' });
});

test('a setting that another client changes is shown here without a reload', async () => {
  const { page, server } = await visit();
  await page.goto(`${server.url}/#/settings`);
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('AGENT_MAX_ROUNDS');
  const { fields } = (await server.call('GET', '/api/settings')).body;
  const field = page.getByLabel(fields.find((one: any) => one.key === 'AGENT_MAX_ROUNDS').label, { exact: true });
  await field.waitFor();
  await server.call('PUT', '/api/settings', { harness: { env: { AGENT_MAX_ROUNDS: '9' } } });
  await expect.poll(() => field.inputValue()).toBe('9');
});

test('the plugins page names every plugin with its state, and switches one off and on', async () => {
  const { page, server } = await visit();
  await page.goto(`${server.url}/#/plugins`);
  await heading(page, 'Plugins').waitFor();
  const { plugins } = (await server.call('GET', '/api/plugins')).body;
  for (const { name } of plugins) await page.getByText(name, { exact: true }).first().waitFor({ state: 'attached' });
  const state = async (): Promise<string> => (await server.call('GET', '/api/plugins')).body.plugins.find((row: any) => row.name === 'rule-recall').state;
  const control = page
    .getByRole('switch', { name: /rule-recall/ })
    .or(page.getByRole('checkbox', { name: /rule-recall/ }))
    .or(page.getByRole('button', { name: /rule-recall/ }));
  await control.first().click();
  await expect.poll(state).toBe('disabled');
  await control.first().click();
  await expect.poll(state).toBe('active');
});

test('the plugins page shows what is not as it was meant at a plugin that runs', async () => {
  const { page, server } = await visit({ environment: { AGENT_MAX_ROUNDS: 'many' } });
  await page.goto(`${server.url}/#/plugins`);
  const row = (await server.call('GET', '/api/plugins')).body.plugins.find((one: any) =>
    one.warnings?.some((text: string) => text.includes('AGENT_MAX_ROUNDS')),
  );
  await page
    .getByRole('list', { name: `Warnings of ${row.name}` })
    .getByText('AGENT_MAX_ROUNDS')
    .waitFor();
});

test('usage shows what was spent, as numbers too, and search finds what was said and leads there', async () => {
  const { page, server } = await visit({ script: [{ text: 'The narwhal has a tusk.', usage: { input: 1_234, output: 567, cost: 0.0123 } }] });
  await say(page, 'tell me about whales');
  await reads(page, 'The narwhal has a tusk.');
  await isReady(page);
  await page.goto(`${server.url}/#/usage`);
  await heading(page, 'Usage').waitFor();
  await page
    .getByText(/1[,. ]?234|1\.2 ?k/i)
    .first()
    .waitFor({ state: 'attached' });
  expect(await page.getByRole('table').count()).toBeGreaterThan(0);

  await page.goto(`${server.url}/#/search`);
  await heading(page, 'Search').waitFor();
  await page.getByRole('main').getByRole('searchbox').fill('narwhal');
  await page.keyboard.press('Enter');
  await page
    .getByRole('main')
    .getByRole('link')
    .filter({ hasText: /narwhal/ })
    .first()
    .click();
  await reads(page, 'The narwhal has a tusk.');
});

test('the account page says who is signed in: nobody', async () => {
  const { page, server } = await visit();
  await page.goto(`${server.url}/#/account`);
  await heading(page, 'Account').waitFor();
  await page
    .getByText(/community/i)
    .first()
    .waitFor();
});
