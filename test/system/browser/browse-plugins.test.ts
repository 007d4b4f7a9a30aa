// Plugins of others in the page: found in an index, shown with what they can do, installed by a yes, and replaced by no other.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../helpers/sources.ts';
import { axeFaults } from './axe-faults.ts';
import { button, isReady, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

test('an index is browsed, and a plugin of it is installed after it was looked at', async () => {
  const index = join(root, 'examples/index/index.json');
  const { page, server } = await visit({ environment: { AGENT_PLUGIN_INDEX: index, AGENT_PLUGIN_COOL_DOWN_DAYS: '0' } });
  await isReady(page);
  await page.goto(`${server.url}/#/plugins`);
  const section = page.getByRole('region', { name: 'Plugins of others' });
  await button(section, 'Look at say-hello').click();
  const offer = section.getByRole('region', { name: /^say-hello 1\.0\.0/ });
  await offer.getByText('It runs in a process of its own').waitFor();
  await offer.getByText(/^Signed by [0-9a-f]{4}(-[0-9a-f]{4}){3}$/).waitFor();
  await offer.getByText(/^sha256 [0-9a-f]{64}$/).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expect(existsSync(join(server.home, 'plugins/say-hello'))).toBe(false);
  await button(offer, 'Install exactly this').click();
  await section.getByText('installed: 1.0.0').waitFor();
  expect(existsSync(join(server.home, 'plugins/say-hello/index.mjs'))).toBe(true);
  const { body } = await server.call('GET', '/api/plugins');
  expect(body.plugins.find(({ name }: { name: string }) => name === 'say-hello')).toMatchObject({ state: 'active', isolation: 'child' });
});

test('without an index, the section says where one is set', async () => {
  const { page, server } = await visit({});
  await isReady(page);
  await page.goto(`${server.url}/#/plugins`);
  await page.getByText('No index of plugins is set.').waitFor();
});
