// Tests granting plugin capabilities and choosing the isolation in the page.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button, isReady, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

test('runs a plugin after its capabilities are allowed, with the chosen isolation', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trust-page-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'mine'), { mode: 0o700 });
  const text = `export const manifest = { name: 'weather', isolation: 'child', capabilities: { hosts: ['weather.example.org'] } };
export function register(registry) {
  registry.add('slash_command', { name: 'weather', summary: 'Says it.', run: () => ({ text: 'sun' }) });
}`;
  await writeFile(join(folder, 'mine/weather.mjs'), text, { mode: 0o600 });
  const { page, server } = await visit({ environment: { AGENT_PLUGIN_DIR: join(folder, 'mine'), AGENT_PLUGIN_ASK: '1', PATH: process.env['PATH'] ?? '' } });
  const state = async (): Promise<unknown> => (await server.call('GET', '/api/plugins')).body.plugins.find(({ name }: { name: string }) => name === 'weather');
  expect(await state()).toMatchObject({ state: 'failed' });
  await isReady(page);
  await page.goto(`${server.url}/#/plugins`);
  await page.getByRole('list', { name: 'Capabilities requested by Weather' }).getByText('It connects to weather.example.org.').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await button(page, 'Grant these capabilities to Weather').click();
  await expect.poll(state).toMatchObject({ state: 'active', isolation: 'child' });
  await page.getByText('Details (Weather)').click();
  await page.getByRole('list', { name: 'Capabilities of Weather' }).waitFor();
  await page.getByRole('combobox', { name: 'Isolation of Weather' }).selectOption('child');
  await expect.poll(state).toMatchObject({ state: 'active', isolation: 'child', chosen: 'child' });
  await page.getByText('Isolated', { exact: true }).waitFor();
});
