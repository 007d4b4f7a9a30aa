// Tests the plugins page: shows a plugin with its capabilities and installs it after approval.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../helpers/sources.ts';
import { axeFaults } from './axe-faults.ts';
import { button, isReady, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

test("shows a plugin's isolation and hash and installs it only after approval", async () => {
  const { page, server } = await visit({});
  await isReady(page);
  await page.goto(`${server.url}/#/plugins`);
  await button(page, 'Install…').click();
  const section = page.getByRole('dialog', { name: 'Install a plugin' });
  await section.getByLabel('Source').fill(join(root, 'examples/isolated/say-hello'));
  await button(section, 'Show').click();
  const offer = section.getByRole('region', { name: /^say-hello 1\.0\.0/ });
  await offer.getByText('It runs isolated in a child process').waitFor();
  await offer.getByText(/^sha256 [0-9a-f]{64}$/).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expect(existsSync(join(server.home, 'plugins/say-hello'))).toBe(false);
  await button(offer, 'Install').click();
  await offer.waitFor({ state: 'detached' });
  expect(existsSync(join(server.home, 'plugins/say-hello/index.mjs'))).toBe(true);
  const { body } = await server.call('GET', '/api/plugins');
  expect(body.plugins.find(({ name }: { name: string }) => name === 'say-hello')).toMatchObject({ state: 'active', isolation: 'child' });
});
