// Tests the control plane pages for people: the first owner, invitations, roles, removal.
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button } from '../../helpers/use-browser.ts';
import { settled } from './settled.ts';
import { setUpToken } from './plane-accounts.ts';
import { usePlane } from './use-plane.ts';

const visit = usePlane();

test('signs up the owner and an invited member, applies role changes and ends the access of a removed member', async () => {
  const { plane, visitor } = visit();
  const ann = await visitor();
  const { page } = ann;
  // The session request returns 401 before sign-up.
  ann.expectFault(/status of 401/);
  await ann.open(`/sign-up?setup=${await setUpToken(plane)}`);
  expect(await axeFaults(page)).toEqual([]);
  await page.getByLabel('Organisation').fill('Acme');
  await page.getByLabel('E-mail').fill('ann@example.org');
  expect(await button(page, 'Create account').isDisabled()).toBe(true);
  await page.getByLabel('Password').fill('correct horse');
  await button(page, 'Create account').click();
  await page.getByRole('heading', { level: 1, name: 'Acme', exact: true }).waitFor();
  expect(await axeFaults(page)).toEqual([]);

  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('listitem').filter({ hasText: 'ann@example.org' }).getByText('you').waitFor();
  await button(page, 'Invite').click();
  const dialog = page.getByRole('dialog', { name: 'Invite a person' });
  await dialog.getByLabel('E-mail').fill('ben@example.org');
  await dialog.getByLabel('Role').selectOption('viewer');
  expect(await axeFaults(page)).toEqual([]);
  await button(dialog, 'Create the link').click();
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  expect(link).toContain(`${plane.url}/sign-up?invite=`);
  await button(page, 'Done').click();
  await page.getByRole('list', { name: 'Invitations' }).getByText('ben@example.org').waitFor();

  const ben = await visitor({ viewport: { width: 360, height: 740 }, hasTouch: true });
  ben.expectFault(/status of 401/);
  await ben.open(link.slice(plane.url.length));
  expect(await ben.page.getByLabel('E-mail').inputValue()).toBe('ben@example.org');
  await ben.page.getByLabel('Password').fill('battery staple');
  await button(ben.page, 'Join').click();
  await ben.page.getByRole('heading', { level: 1, name: 'Acme', exact: true }).waitFor();
  await ben.open('/#/members');
  await ben.page.getByText(/^2 of \d+ seats used/).waitFor();
  expect(await button(ben.page, 'Invite').count()).toBe(0);
  expect(await ben.page.getByRole('combobox').count()).toBe(0);
  expect(await ben.page.getByRole('heading', { name: 'Invitations' }).count()).toBe(0);
  expect(await axeFaults(ben.page)).toEqual([]);

  await page.reload();
  await page.getByLabel('Role of ben@example.org').selectOption('admin');
  await page.getByText('ben@example.org is now admin.').waitFor();
  await ben.page.reload();
  await button(ben.page, 'Invite').waitFor();
  expect(await ben.page.getByLabel('Role of ann@example.org').count()).toBe(0);

  await button(page.getByRole('listitem').filter({ hasText: 'ben@example.org' }), 'Remove').click();
  await button(page.getByRole('alertdialog'), 'Remove').click();
  await page.getByText('ben@example.org was removed.').waitFor();
  await ben.open('/#/members');
  await ben.page.reload();
  await settled(ben.page);
  await ben.page
    .getByText(/No organisation|Sign in/)
    .first()
    .waitFor();
});
