// Tests plugin views in the page: every block kind, forms and confirmations, phone width, and views in a conversation.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { VisitOptions } from '../../helpers/browser.ts';
import { root } from '../../helpers/sources.ts';
import { axeFaults } from './axe-faults.ts';
import { button, conversation, isReady, openPages, reads, say, toolCards, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const plugin = (path: string): NonNullable<VisitOptions['plugins']> => ({ [basename(path)]: readFileSync(join(root, path), 'utf8') });
const sample = plugin('test/helpers/sample-view.mjs');
const readingList = plugin('examples/plugins/reading-list.mjs');
const phone = { viewport: { width: 360, height: 3200 }, hasTouch: true, isMobile: true };

test('renders every block kind within the screen width', async () => {
  for (const [name, context] of [
    ['wide', { viewport: { width: 1280, height: 2600 } }],
    ['narrow', phone],
  ] as const) {
    const { page } = await visit({ plugins: sample, context });
    await isReady(page);
    await page.goto(`${page.url().split('#')[0]}#/view/sample`);
    const view = page.locator('[data-view="sample"]');
    await page.getByRole('heading', { level: 1, name: 'Sample' }).waitFor();
    await view.getByRole('img', { name: 'Tue: In 8, Out 4' }).waitFor();
    await view.locator('strong').first().waitFor();
    await expect.poll(() => view.locator('.diff-view table').count()).toBe(2);
    if (name === 'wide') expect(await view.ariaSnapshot()).toMatchSnapshot();
    // On a phone the row actions are in the row header.
    else
      expect(
        await view
          .getByRole('rowheader', { name: /^Harbour/ })
          .getByRole('button')
          .count(),
      ).toBe(2);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await axeFaults(page)).toEqual([]);
  }
});

test('runs view actions with their form input and confirmation, and shows the result', async () => {
  const { page } = await visit({ plugins: readingList });
  await isReady(page);
  await (await openPages(page)).getByRole('menuitem', { name: 'Reading list' }).click();
  const form = page.getByRole('form', { name: 'Add' });
  await form.getByRole('textbox', { name: 'Title' }).fill('Ships of oak');
  await form.getByRole('spinbutton', { name: 'Pages' }).fill('420');
  await form.getByRole('switch', { name: 'I have begun it' }).click();
  await button(form, 'Add').click();
  await page.getByText('“Ships of oak” is on the list.').first().waitFor();
  const row = page.getByRole('row', { name: /^Ships of oak/ }).first();
  expect(await row.innerText()).toMatch(/Ships of oak\s+420\s+In progress/);
  expect(await form.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('');
  await button(row, 'I read it: Ships of oak').click();
  await row.getByText('Done').waitFor();
  await button(row, 'Remove: Ships of oak').click();
  await page.getByRole('alertdialog').getByText('Take this book off the list?').waitFor();
  await button(page.getByRole('alertdialog'), 'Remove').click();
  await page.getByText('No entries.').first().waitFor();
});

test('shows view parameters in the form and the address, and passes them to actions', async () => {
  const { page, expectFault } = await visit({ plugins: sample });
  await isReady(page);
  const at = page.url().split('#')[0];
  await page.goto(`${at}#/view/tides?days=30&port=Old+quay`);
  const form = page.getByRole('form', { name: 'Change parameters' });
  await page.getByRole('row', { name: /^port Old quay/ }).waitFor();
  expect(await form.getByRole('spinbutton', { name: 'Days' }).inputValue()).toBe('30');
  await form.getByRole('combobox', { name: 'Yard' }).selectOption('south');
  await form.getByRole('textbox', { name: 'Port' }).fill('');
  await form.getByRole('switch', { name: 'Only the deep ones' }).click();
  await button(form, 'Show').click();
  await page.getByRole('row', { name: /^yard south/ }).waitFor();
  expect(page.url()).toBe(`${at}#/view/tides?days=30&yard=south&deep=true`);
  await button(page.getByRole('row', { name: /^yard south/ }), 'Mark: yard').click();
  await page.getByText('Done: {"action":"mark","row":"t2","input":{},"parameters":{"days":30,"yard":"south","deep":true}}').first().waitFor();
  await page.getByRole('link', { name: 'days', exact: true }).click();
  await page.getByRole('row', { name: /^days 90/ }).waitFor();
  expect(page.url()).toBe(`${at}#/view/tides?days=90&yard=south&deep=true`);
  await page.goBack();
  await page.getByRole('row', { name: /^days 30/ }).waitFor();
  expectFault(/status of 400/);
  await page.goto(`${at}#/view/tides?days=900`);
  await page.getByText('Days must be <= 90.').first().waitFor();
  expect(await form.getByRole('spinbutton', { name: 'Days' }).inputValue()).toBe('900');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test('shows changes by other clients, and a missing page after the plugin is disabled', async () => {
  const { page, server } = await visit({ plugins: readingList });
  await isReady(page);
  await page.goto(`${page.url().split('#')[0]}#/view/reading-list`);
  await page.getByRole('form', { name: 'Add' }).waitFor();
  await server.call('POST', '/api/views/reading-list/actions/add', { input: { title: 'From the terminal' } });
  await page
    .getByRole('row', { name: /^From the terminal/ })
    .first()
    .waitFor();
  await server.call('PUT', '/api/plugins/reading-list', { disabled: true });
  await page.getByText('This page does not exist.').waitFor();
});

test('shows the view of a tool in its card and the view of a command in the conversation', async () => {
  const { page } = await visit({ plugins: sample, script: [{ toolCalls: [{ name: 'show_sample', args: {} }] }, { text: 'That was it.' }] });
  await isReady(page);
  await say(page, 'go');
  await reads(page, 'That was it.');
  await conversation(page)
    .getByRole('button', { name: /show_sample/ })
    .first()
    .click();
  await toolCards(page)
    .getByRole('row', { name: /^Harbour \| one/ })
    .waitFor();
  expect(await toolCards(page).getByRole('button', { name: 'Add a step' }).count()).toBe(0);
  await say(page, '/view sample');
  const shown = conversation(page).locator('[data-kind="note"]');
  await shown.getByRole('row', { name: /^Harbour \| one/ }).waitFor();
  await button(shown, 'Begin anew').click();
  await button(page.getByRole('alertdialog'), 'Begin anew').click();
  await page.getByText('Done: {"action":"reset","input":{}}').first().waitFor();
});
