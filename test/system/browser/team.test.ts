// Tests the team page: notes with their authors, the live bus, control plane loss, phone width, and read-only roles.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { addMember, startPlane, type AddedMember, type Plane } from '../../helpers/plane.ts';
import { axeFaults } from './axe-faults.ts';
import { button, isIdle, useBrowser, openPages } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const workspace = 'git:example.org/acme/repo';

interface Team {
  readonly plane: Plane;
  readonly olga: AddedMember;
  readonly max: AddedMember;
  readonly page: Page;
  readonly origin: string;
  expectFault(pattern: RegExp): void;
}

let changes = 0;
async function write(plane: Plane, { token }: AddedMember, key: string, value: string): Promise<void> {
  const known = (await plane.call('GET', `/api/team/memory/notes?workspace=${workspace}`, { token })).body.revision;
  const body = { clientId: `test-${++changes}`, mutationId: 1, base: known, upserts: [{ key, value, updatedAt: new Date().toISOString() }], tombstones: [] };
  expect((await plane.call('PUT', `/api/team/memory/notes?workspace=${workspace}`, { token, body })).status).toBe(200);
}
const publish = (plane: Plane, { token }: AddedMember, key: string, envelope: unknown) =>
  plane.call('POST', '/api/team/bus/publish', { token, body: { workspace, key, envelope, clientId: 'test', mutationId: ++changes } });

async function openTeam(): Promise<Team> {
  const plane = await startPlane();
  onTestFinished(() => plane.close());
  const olga = await addMember(plane, { email: 'olga@example.org', role: 'owner' });
  const max = await addMember(plane, { email: 'max@example.org', role: 'member' });
  await write(plane, olga, 'fact:build', 'make all');
  await write(plane, olga, 'fact:build', 'make everything');
  await write(plane, max, 'fact:deploy', '<b>make ship</b>');
  await publish(plane, olga, 'interface_changed', { text: 'The second argument is gone.' });
  await publish(plane, olga, 'part_taken', 'I do the parser.');
  const publicKey = await plane.kernel.resolve('planeKeys').publicKey();
  const { page, origin, expectFault } = await visit({
    environment: { AGENT_HUB_SITE_URL: plane.url, AGENT_LICENSE_PUBLIC_KEY: publicKey },
    script: [],
    async prepare(place) {
      await writeFile(join(place.home, 'license.json'), JSON.stringify({ token: max.token }), { mode: 0o600 });
      await mkdir(join(place.workspace, '.git'));
      await writeFile(join(place.workspace, '.git', 'HEAD'), 'ref: refs/heads/main\n');
      await writeFile(join(place.workspace, '.git', 'config'), '[remote "origin"]\n\turl = https://example.org/acme/repo.git\n');
    },
  });
  await isIdle(page);
  await (await openPages(page)).getByRole('menuitem', { name: 'Team' }).click();
  await page.getByRole('list', { name: 'Notes of the team' }).waitFor();
  await page.getByText('Live').waitFor();
  return { plane, olga, max, page, origin, expectFault };
}
const note = (page: Page, key: string) => page.getByRole('list', { name: 'Notes of the team' }).getByRole('listitem').filter({ hasText: key });
const messages = (page: Page) => page.getByRole('list', { name: 'Messages, newest first' }).getByRole('listitem');

test('searches and deletes team notes with their authors, follows the bus and publishes, as far as the role permits', { timeout: 60_000 }, async () => {
  const { plane, olga, max, page, expectFault } = await openTeam();
  await note(page, 'fact:build')
    .getByText(/olga@example\.org · now/)
    .waitFor();
  await note(page, 'fact:build').getByText('make everything').waitFor();
  await note(page, 'fact:deploy').getByText('yours', { exact: true }).waitFor();
  await note(page, 'fact:deploy').getByText('<b>make ship</b>').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.emulateMedia({ colorScheme: 'light' });

  await button(page, 'History of fact:build').click();
  await page.getByRole('list', { name: 'History of fact:build' }).getByText('make all').waitFor();
  const search = page.getByRole('searchbox', { name: 'Find a note of the team' });
  await search.fill('max@');
  await expect.poll(() => note(page, 'fact:').count()).toBe(1);
  await search.fill('');
  await button(page, 'Delete fact:build').focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Delete fact:build?' });
  await dialog.waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await button(dialog, 'Delete').focus();
  await page.keyboard.press('Enter');
  await page.getByText('fact:build was deleted.').waitFor();
  await expect.poll(() => note(page, 'fact:').count()).toBe(1);
  const left = (await plane.call('GET', `/api/team/memory/notes?workspace=${workspace}`, { token: olga.token })).body.notes;
  expect(left.map(({ key }: any) => key)).toEqual(['fact:deploy']);

  await expect
    .poll(() => messages(page).allInnerTexts())
    .toEqual([expect.stringMatching(/part_taken[^]*olga@example\.org[^]*I do the parser/), expect.stringMatching(/interface_changed/)]);
  await publish(plane, olga, 'interface_changed', { text: 'It is back.' });
  await messages(page).getByText('It is back.').waitFor();
  await page.getByRole('combobox', { name: 'Topic' }).selectOption('part_taken');
  await expect.poll(() => messages(page).count()).toBe(1);
  await page.getByRole('combobox', { name: 'Topic' }).selectOption('');
  await button(page, 'Publish…').click();
  const form = page.getByRole('dialog', { name: 'Publish to the team' });
  await form.getByLabel('Topic').fill('question');
  await form.getByLabel('Message').fill('Who has the parser?');
  expect(await axeFaults(page)).toEqual([]);
  await form.getByLabel('Topic').press('Enter');
  await expect.poll(() => messages(page).first().innerText()).toMatch(/question[^]*max@example\.org[^]*Who has the parser\?/);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);

  expectFault(/503/);
  const changed = await plane.call('PATCH', `/api/orgs/${max.member.org.id}/members/${max.member.person.id}`, {
    cookie: olga.cookie,
    body: { role: 'viewer' },
  });
  expect(changed.status).toBe(200);
  await page.reload();
  await note(page, 'fact:deploy').waitFor();
  await messages(page).first().waitFor();
  expect([await page.getByRole('button', { name: /^Delete / }).count(), await button(page, 'Publish…').count()]).toEqual([0, 0]);
});

test('reports an unreachable control plane and reloads the notes after its return', { timeout: 60_000 }, async () => {
  const { plane, page, expectFault } = await openTeam();
  expectFault(/503/);
  const port = Number(new URL(plane.url).port);
  await plane.kernel.resolve('http').close();
  await page.getByText('Not connected; trying again').waitFor();
  await messages(page).first().waitFor();
  await page.reload();
  await page.getByText('The notes of the team could not be loaded.').waitFor();
  await page.getByText(/The copies on this machine are still used/).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await plane.kernel.resolve('http').listen({ port });
  await button(page.getByRole('region', { name: 'Notes of the team' }), 'Try again').click();
  await note(page, 'fact:build').waitFor();
});

test('hides the team page without the entitlement', async () => {
  const { page } = await visit();
  await isIdle(page);
  expect(await (await openPages(page)).getByRole('menuitem', { name: 'Team' }).count()).toBe(0);
});
