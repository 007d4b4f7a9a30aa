// Tests every dashboard page with data: accessibility, width, and its actions.
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button } from '../../helpers/use-browser.ts';
import { fillPlane, people, type FilledPlane } from './filled-control-plane.ts';
import { signIn } from './plane-accounts.ts';
import { settled } from './settled.ts';
import { usePlane } from './use-plane.ts';
import type { Plane } from '../../helpers/plane.ts';

const visit = usePlane();
let filled: FilledPlane | undefined;

const prepared = async (plane: Plane): Promise<FilledPlane> => (filled ??= await fillPlane(plane));

const pages = {
  'people pages': ['', 'members', 'plan', 'account', 'sessions', 'sessions/chat_01JD3M9V2K', 'notes', 'bus'],
  'policy and server pages': ['policy', 'fleet', 'audit', 'sso', 'organisations', 'connectors', 'status', 'nothing-here'],
} as const;
const desktop = { width: 1280, height: 860 };
const phone = { width: 360, height: 740 };

test.each(Object.entries(pages))('has no accessibility violation and no horizontal overflow on desktop and phone: %s', async (_which, names) => {
  const { plane, visitor } = visit();
  await prepared(plane);
  const person = await visitor({ viewport: desktop });
  const { page } = person;
  await signIn(person, plane, people.owner);
  const cdp = await page.context().newCDPSession(page);
  for (const name of names) {
    await page.goto('about:blank');
    await page.setViewportSize(desktop);
    await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: false });
    await person.open(`/#/${name}`);
    const tooWide = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect([await axeFaults(page), await tooWide()], name).toEqual([[], 0]);
    await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await page.setViewportSize(phone);
    await settled(page);
    expect(await tooWide(), `${name} on a phone`).toBe(0);
  }
});

test('puts the page links into a menu on a phone', async () => {
  const { plane, visitor } = visit();
  await prepared(plane);
  const person = await visitor({ viewport: phone, hasTouch: true });
  const { page } = person;
  await signIn(person, plane, people.owner);
  await person.open('/');
  await button(page, 'Show pages').click();
  await page.getByRole('link', { name: 'Members' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
});

test('shows the history of a note, deletes it and shows bus messages live', async () => {
  const { plane, visitor } = visit();
  const { member } = await prepared(plane);
  const person = await visitor();
  const { page } = person;
  await signIn(person, plane, people.owner);
  await person.open('/#/notes');
  const notes = page.getByRole('list', { name: 'Notes of the team' });
  const office = notes.getByRole('listitem').filter({ hasText: 'fact:office' }).first();
  await office.getByText(people.member).waitFor();
  await button(page, 'History of fact:office').click();
  await office.getByText('The office is in Graz.').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await button(page, 'Delete fact:office').click();
  await button(page.getByRole('alertdialog'), 'Delete').click();
  await page.getByText('fact:office was deleted.').waitFor();
  await expect.poll(() => notes.getByText('fact:office').count()).toBe(0);

  await person.open('/#/bus');
  await page.getByText('Please look at the parser before noon.').waitFor();
  await page.getByLabel('Workspace').selectOption('global');
  const lines = page.getByRole('list', { name: 'Messages, newest first' });
  await lines.getByText('Deploying to staging.').waitFor();
  await page.getByLabel('Topic').selectOption('build');
  await lines.getByText('The build is green.').waitFor();
  expect(await lines.getByRole('listitem').count()).toBe(1);
  await plane.call('POST', '/api/team/bus/publish', {
    cookie: member.cookie,
    body: { workspace: 'global', key: 'build', envelope: 'It is out.', clientId: 'one', mutationId: 99 },
  });
  await lines.getByText('It is out.').waitFor();
  expect(await lines.getByRole('listitem').first().innerText()).toContain('It is out.');
});

test('lists, searches, opens and removes stored sessions per person', async () => {
  const { plane, visitor } = visit();
  await prepared(plane);
  const person = await visitor();
  const { page } = person;
  await signIn(person, plane, people.owner);
  await person.open('/#/sessions');
  await page.getByRole('link', { name: 'chat_01JD3M9V2K' }).click();
  await page.getByRole('heading', { level: 1, name: 'chat_01JD3M9V2K' }).waitFor();
  await page.getByText('Why does the import of stations fail?').waitFor();
  await page.getByRole('link', { name: 'Your sessions', exact: true }).last().click();
  await page.getByLabel('Find in your sessions').fill('"byte order mark"');
  const found = page.getByRole('list', { name: 'Matching lines, newest first' });
  await found.getByText('Line 3').waitFor();
  await found.getByRole('link').click();
  await page.getByText('from line 3').waitFor();
  await page.getByText('which the parser takes for a column').waitFor();

  const other = await visitor();
  await signIn(other, plane, people.admin);
  await other.open('/#/sessions');
  await other.page.getByText('No sessions yet').waitFor();

  await person.open('/#/sessions');
  await page.reload();
  await button(page, 'Remove chat_01JD3M9V2K').click();
  await button(page.getByRole('alertdialog'), 'Remove').click();
  await page.getByText('No sessions yet').waitFor();
});
