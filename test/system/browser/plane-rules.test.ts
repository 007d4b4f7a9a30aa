// Tests policy editing: by form, concurrently, with an expired session, and across a control plane restart.
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { axeFaults } from './axe-faults.ts';
import { fillPlane, people, type FilledPlane } from './filled-control-plane.ts';
import { button } from '../../helpers/use-browser.ts';
import { signIn } from './plane-accounts.ts';
import { usePlane } from './use-plane.ts';
import type { Plane } from '../../helpers/plane.ts';

const visit = usePlane();
let filled: FilledPlane | undefined;
const prepared = async (plane: Plane): Promise<FilledPlane> => (filled ??= await fillPlane(plane));

const allMembers = (page: Page) => page.getByRole('group', { name: 'All members' });
const policyOf = async (plane: Plane, { owner }: FilledPlane): Promise<any> => (await plane.call('GET', '/api/team/policy', { cookie: owner.cookie })).body;
const isActive = (page: Page, revision: number): Promise<void> => page.getByText(`Revision ${revision} is active.`).waitFor();

test('edits a policy with groups and purpose caps by form, shows the affected members and restores a revision', async () => {
  const { plane, visitor } = visit();
  const made = await prepared(plane);
  const person = await visitor();
  const { page } = person;
  await signIn(person, plane, people.admin);
  await person.open('/#/policy');
  await allMembers(page).getByLabel('Tools that always require approval').fill('write_file');
  await page.getByText('Affects 3 of 4 members.').waitFor();
  await allMembers(page).getByLabel('Voice per day').fill('0.5');
  await page.getByText('4 members would spend at most 0.5 USD per day on voice').waitFor();
  await button(page, 'Add a group').click();
  const group = page.getByRole('group', { name: 'Group 2' });
  await group.getByLabel('Member', { exact: true }).uncheck();
  await page.getByText('The group Group 2 has no members: choose a role, or enter a person.').waitFor();
  expect(await button(page, 'Publish').isDisabled()).toBe(true);
  await group.getByLabel('Only these people').fill(people.admin);
  await group.getByLabel('Blocked tools').fill('delete_file');
  await group.getByLabel('Name of the group').fill('Careful');
  await page.getByText('1 member would no longer be able to use delete_file').waitFor();
  await page.getByText('Affected members', { exact: true }).click();
  await page
    .getByText(/would .*no longer be able to use delete_file/)
    .first()
    .waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await button(page, 'Publish').click();
  await isActive(page, 3);
  expect((await policyOf(plane, made)).policy).toEqual({
    blockedTools: ['run_command', 'web_fetch'],
    allowedModels: ['openai/*', 'anthropic/*'],
    forcedApprovals: ['write_file'],
    spendingCaps: { perDay: 20, purposes: { dream: 2, voice: 0.5 } },
    groups: [
      { name: 'Interns', match: { roles: ['viewer'] }, forcedApprovals: ['write_file'], spendingCaps: { perDay: 5 } },
      { name: 'Careful', match: { people: [people.admin] }, blockedTools: ['delete_file'] },
    ],
  });
  await button(page, 'Show changes of revision 3').click();
  await page.getByText('/forcedApprovals').waitFor();
  expect(await axeFaults(page)).toEqual([]);

  await button(page, 'Restore revision 1').click();
  await button(page.getByRole('alertdialog'), 'Restore').click();
  await isActive(page, 4);
  expect(await allMembers(page).getByLabel('Blocked tools').inputValue()).toBe('run_command');

  await page.getByLabel('JSON', { exact: true }).check();
  const document = page.getByLabel('Document as JSON');
  await document.fill('{ "blockedTools": [');
  await page.getByText(/^The document is not valid JSON/).waitFor();
  expect(await button(page, 'Publish').isDisabled()).toBe(true);
  await button(page, 'Discard').click();
  expect(JSON.parse(await document.inputValue())).toEqual({ blockedTools: ['run_command'] });
});

test('notifies the later of two concurrent policy editors and merges both changes', async () => {
  const { plane, visitor } = visit();
  const made = await prepared(plane);
  const { cookie } = made.owner;
  const { revision } = await policyOf(plane, made);
  await plane.call('PUT', '/api/team/policy', { cookie, body: { base: revision, policy: { blockedTools: ['run_command'], spendingCaps: { perDay: 20 } } } });
  const [ann, ada] = [await visitor(), await visitor()];
  await signIn(ann, plane, people.owner);
  await signIn(ada, plane, people.admin);
  await ann.open('/#/policy');
  await ada.open('/#/policy');
  await isActive(ann.page, revision + 1);
  await isActive(ada.page, revision + 1);
  await allMembers(ada.page).getByLabel('Blocked tools').fill('run_command\nweb_fetch');
  await allMembers(ada.page).getByLabel('Per day', { exact: true }).fill('10');
  await allMembers(ann.page).getByLabel('Blocked tools').fill('run_command\ndelete_file');
  await allMembers(ann.page).getByLabel('Per day', { exact: true }).fill('5');
  await button(ada.page, 'Publish').click();
  await isActive(ada.page, revision + 2);

  const notice = ann.page.getByRole('alert').filter({ hasText: `${people.admin} published revision ${revision + 2} meanwhile.` });
  await notice.waitFor();
  expect(await allMembers(ann.page).getByLabel('Blocked tools').inputValue()).toBe('run_command\ndelete_file');
  expect(await button(ann.page, 'Publish').isDisabled()).toBe(true);
  await button(ann.page, 'Show their changes').click();
  await notice.getByText('web_fetch').first().waitFor();
  expect(await axeFaults(ann.page)).toEqual([]);
  await button(ann.page, 'Apply my change on top').click();
  await ann.page.getByText('Both of you changed /spendingCaps/perDay; your values are used.').waitFor();
  expect(await allMembers(ann.page).getByLabel('Blocked tools').inputValue()).toBe('run_command\nweb_fetch\ndelete_file');
  await button(ann.page, 'Publish').click();
  await isActive(ann.page, revision + 3);
  expect((await policyOf(plane, made)).policy).toEqual({ blockedTools: ['run_command', 'web_fetch', 'delete_file'], spendingCaps: { perDay: 5 } });
  await isActive(ada.page, revision + 3);
  expect(await allMembers(ada.page).getByLabel('Blocked tools').inputValue()).toBe('run_command\nweb_fetch\ndelete_file');
});

test('keeps unsaved policy edits when the session ends and publishes them after signing in again', async () => {
  const { plane, visitor } = visit();
  const made = await prepared(plane);
  const person = await visitor();
  const { page } = person;
  await signIn(person, plane, people.owner);
  await person.open('/#/policy');
  const { revision } = await policyOf(plane, made);
  await allMembers(page).getByLabel('Tools that always require approval').fill('send_mail');
  await page.getByText('4 members would have to approve each call of send_mail').waitFor();
  person.expectFault(/status of 401/);
  await page.context().clearCookies();
  await button(page, 'Publish').click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByText('Unsaved input is preserved').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await dialog.getByLabel('Password').fill('wrong');
  await button(dialog, 'Sign in').click();
  await dialog.getByRole('alert').filter({ hasText: /./ }).waitFor();
  await dialog.getByLabel('Password').fill(made.owner.password);
  await button(dialog, 'Sign in').click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await allMembers(page).getByLabel('Tools that always require approval').inputValue()).toBe('send_mail');
  await button(page, 'Publish').click();
  await isActive(page, revision + 1);
});

test('reconnects an open bus page after a control plane restart', async () => {
  const { plane, visitor } = visit();
  const { member } = await prepared(plane);
  const person = await visitor();
  const { page } = person;
  await signIn(person, plane, people.owner);
  await person.open('/#/bus');
  await page.getByLabel('Workspace').selectOption('global');
  await page.getByText('Live', { exact: true }).waitFor();
  person.expectFault(/ERR_CONNECTION|net::|status of 50/);
  const http = plane.kernel.resolve('http');
  const port = Number(new URL(plane.url).port);
  await http.close();
  await page.getByText('Not connected; trying again').waitFor();
  await http.listen({ port });
  await plane.call('POST', '/api/team/bus/publish', {
    cookie: member.cookie,
    body: { workspace: 'global', key: 'build', envelope: 'It is back.', clientId: 'two', mutationId: 1 },
  });
  const lines = page.getByRole('list', { name: 'Messages, newest first' });
  await lines.getByText('It is back.').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  expect(await lines.getByText('Deploying to staging.').count()).toBe(1);
});
