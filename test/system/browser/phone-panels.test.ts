// Tests plugin panels on a remote phone: their modules are sent end-to-end encrypted by the computer.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { isIdle, reads, say } from '../../helpers/use-browser.ts';
import { useOutside } from './use-remote-phone.ts';

const outside = useOutside();

const modules = {
  told: `let mounted = 0;
export function mount(element, { client, chatId }) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('.told { color: rgb(1, 2, 3); }');
  document.adoptedStyleSheets.push(sheet);
  const line = document.createElement('p');
  line.className = 'told';
  element.append(line);
  mounted += 1;
  void client.call('GET /api/chats').then(({ chats }) => (line.textContent = 'mounted ' + mounted + ', chats: ' + chats.length));
}`,
  broken: 'export function mount( {',
  result: "export function mount(element, { entry }) { element.textContent = 'Drawn here: ' + entry.name; }",
};

async function writePlugin(home: string): Promise<void> {
  const folder = join(home, 'modules');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await mkdir(join(home, 'plugins'), { recursive: true, mode: 0o700 });
  const adds = await Promise.all(
    Object.entries(modules).map(async ([id, text]) => {
      const module = join(folder, `${id}.mjs`);
      await writeFile(module, text);
      const where = id === 'result' ? { slot: 'tool_result', tools: ['list_dir'] } : { slot: 'panel' };
      return `registry.add('ui.panel', ${JSON.stringify({ id, title: `Title of ${id}`, module, ...where })});`;
    }),
  );
  const text = `export const manifest = { name: 'own-panels', requires: ['http'] };\nexport function register(registry) {\n  ${adds.join('\n  ')}\n}\n`;
  await writeFile(join(home, 'plugins', 'own-panels.mjs'), text);
}

const open = (page: Page, id: string): Promise<void> => page.evaluate((hash) => void (location.hash = hash), `#/panel/${id}`);

test('renders a plugin panel and a tool result, reports a broken module and requests no module from the relay site', async () => {
  const { world, pair } = outside();
  await writePlugin(world.home);
  expect((await world.server.call('POST', '/api/plugins/reload', {})).status).toBe(200);
  const { page } = await pair('full');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await open(page, 'told');
  const told = page.locator('[data-panel-id="told"] .told');
  await expect.poll(() => told.textContent(), { timeout: 20_000 }).toMatch(/^mounted 1, chats: \d+$/);
  expect(await told.evaluate((line) => getComputedStyle(line).color)).toBe('rgb(1, 2, 3)');
  // Opening the panel again reuses the loaded module.
  await open(page, 'broken');
  await page.getByRole('group', { name: 'Fault in Title of broken' }).waitFor();
  await open(page, 'told');
  await expect.poll(() => told.textContent(), { timeout: 20_000 }).toMatch(/^mounted 2,/);
  expect(asked.filter((path) => path.includes('/ui/'))).toEqual([]);

  await page.goto(page.url().replace(/#.*/, ''));
  await isIdle(page);
  world.model.play([{ toolCalls: [{ name: 'list_dir', args: { path: '.' } }] }, { text: 'That was it.' }]);
  await say(page, 'look');
  await reads(page, 'That was it.');
  await page.getByRole('button', { name: /^List/ }).first().click();
  await page.getByText('Drawn here: list_dir').waitFor();
}, 120_000);
