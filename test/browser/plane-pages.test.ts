// Every page of the dashboard with something in it: no violation of accessibility in light and dark, nothing wider than a phone; and what each does.
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button } from './use-browser.ts';
import { setUpToken, signIn, signUp, usePlane, type Account } from './use-plane.ts';
import type { Plane } from '../helpers/plane.ts';

const visit = usePlane();
const longName = 'a.member.with.a.very.long.name.indeed@a-subsidiary-of-the-company.example.org';
let ann: Account | undefined;

/** An organisation that has been at work for a while; made once. */
async function prepared(plane: Plane): Promise<Account> {
  if (ann) return ann;
  ann = await signUp(plane, { email: 'ann@example.org', orgName: 'Acme Research and Development International', setup: await setUpToken(plane) });
  const { cookie, orgId } = ann;
  const invited = await plane.call('POST', `/api/orgs/${orgId}/invites`, { cookie, body: { role: 'member', email: longName } });
  const ben = await signUp(plane, { email: longName, invite: new URL(invited.body.link).searchParams.get('invite') ?? '' });
  await plane.call('POST', `/api/orgs/${orgId}/invites`, { cookie, body: { role: 'admin' } });
  const note = (key: string, value: string) => ({ key, value, updatedAt: '2026-11-20T10:00:00.000Z', source: { kind: 'user', ref: 'chat_1' } });
  const write = (who: Account, mutationId: number, base: number, upserts: readonly object[]) =>
    plane.call('PUT', '/api/team/memory/notes?workspace=global', {
      cookie: who.cookie,
      body: { clientId: `of-${who.userId}`, mutationId, base, upserts, tombstones: [] },
    });
  const { revision } = (await write(ann, 1, 0, [note('fact:office', 'The office is in Graz.'), note('fact:release', 'Releases are on Tuesdays.\n'.repeat(12))]))
    .body;
  await write(ben, 1, revision, [{ ...note('fact:office', 'The office has moved to Wien.'), updatedAt: '2026-11-21T10:00:00.000Z' }]);
  for (const text of ['The build is green.', 'Deploying to staging.'])
    await plane.call('POST', '/api/team/bus/publish', {
      cookie,
      body: { workspace: 'global', key: 'build', envelope: { text }, clientId: 'one', mutationId: text.length },
    });
  const policy = (base: number, blockedTools: string[]) => plane.call('PUT', '/api/team/policy', { cookie, body: { base, policy: { blockedTools } } });
  await policy(0, ['run_command']);
  await policy(1, ['run_command', 'web_fetch']);
  return ann;
}

const pages = ['', 'members', 'plan', 'account', 'notes', 'bus', 'policy', 'fleet', 'audit', 'sso', 'connectors', 'status', 'nothing-here'];

test.each([
  ['a desktop', { viewport: { width: 1280, height: 860 } }],
  ['a phone', { viewport: { width: 360, height: 740 }, hasTouch: true }],
] as const)('every page, light and dark, on %s', async (device, context) => {
  const { plane, visitor } = visit();
  await prepared(plane);
  const person = await visitor(context);
  const { page } = person;
  await signIn(person, plane, 'ann@example.org');
  for (const name of pages) {
    await page.goto('about:blank');
    await person.open(`/#/${name}`);
    expect(await axeFaults(page), name).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect([name, wide]).toEqual([name, 0]);
    const folder = process.env['PLANE_SHOTS'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name || 'overview'}-${device.replace('a ', '')}.png` });
  }
  if (device === 'a phone') {
    await button(page, 'Show pages').click();
    await page.getByRole('link', { name: 'Members' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  }
});

test('a policy is changed with whom it touches before eyes, and brought back; whoever was faster wins and is told of', async () => {
  const { plane, visitor } = visit();
  const { cookie } = await prepared(plane);
  const person = await visitor();
  const { page } = person;
  await signIn(person, plane, 'ann@example.org');
  await person.open('/#/policy');
  await page.getByLabel('Tools that always ask').fill('write_file');
  await page.getByText('It touches 2 of 2 members.').waitFor();
  await page.getByText('2 members would approve each write_file').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await button(page, 'Publish').click();
  await page.getByText('Revision 3 is in force.').waitFor();
  await button(page, 'What changed in revision 3').click();
  await page.getByText('/forcedApprovals').waitFor();
  expect(await axeFaults(page)).toEqual([]);

  await button(page, 'Bring back revision 1').click();
  await button(page.getByRole('alertdialog'), 'Bring back').click();
  await page.getByText('Revision 4 is in force.').waitFor();
  expect(await page.getByLabel('Blocked tools').inputValue()).toBe('run_command');

  person.expectFault(/status of 409/);
  await page.getByLabel('JSON', { exact: true }).check();
  const document = page.getByLabel('Document as JSON');
  await document.fill('{ "blockedTools": [');
  await page.getByText(/^This is no JSON/).waitFor();
  expect(await button(page, 'Publish').isDisabled()).toBe(true);
  await document.fill('{ "blockedTools": ["web_fetch"] }');
  await plane.call('PUT', '/api/team/policy', { cookie, body: { base: 4, policy: {} } });
  await button(page, 'Publish').click();
  await page.getByRole('alert').filter({ hasText: 'Somebody has published revision 5 meanwhile.' }).waitFor();
});

test('a note is looked through, has a history, and is deleted; the bus shows what comes while it is looked at', async () => {
  const { plane, visitor } = visit();
  const { cookie } = await prepared(plane);
  const person = await visitor();
  const { page } = person;
  await signIn(person, plane, 'ann@example.org');
  await person.open('/#/notes');
  const notes = page.getByRole('list', { name: 'Notes' });
  const office = notes.getByRole('listitem').filter({ hasText: 'fact:office' }).first();
  await office.getByText(longName).waitFor();
  await button(page, 'History of fact:office').click();
  await office.getByText('The office is in Graz.').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await button(page, 'Delete fact:office').click();
  await button(page.getByRole('alertdialog'), 'Delete').click();
  await page.getByText('fact:office is deleted.').waitFor();
  await expect.poll(() => notes.getByText('fact:office').count()).toBe(0);

  await person.open('/#/bus');
  const lines = page.getByRole('list', { name: 'Messages, newest first' });
  await lines.getByText('Deploying to staging.').waitFor();
  await plane.call('POST', '/api/team/bus/publish', {
    cookie,
    body: { workspace: 'global', key: 'build', envelope: 'It is out.', clientId: 'one', mutationId: 99 },
  });
  await lines.getByText('It is out.').waitFor();
  expect(await lines.getByRole('listitem').first().innerText()).toContain('It is out.');
});
