// Tests the administration pages of a control plane for owners, admins and other roles.
import { expect, onTestFinished, test, vi } from 'vitest';
import { identityClient, startIdentityProvider } from '../../helpers/identity-provider.ts';
import { addMember, type Plane } from '../../helpers/plane.ts';
import { axeFaults } from './axe-faults.ts';
import { fillPlane, people, type FilledPlane } from './filled-control-plane.ts';
import { button } from '../../helpers/use-browser.ts';
import { signIn } from './plane-accounts.ts';
import { usePlane } from './use-plane.ts';

const visit = usePlane();
let filled: FilledPlane | undefined;
const prepared = async (plane: Plane): Promise<FilledPlane> => (filled ??= await fillPlane(plane));

test('shows the wallet balance and receipts, and lets an owner set, change and remove a member cap', async () => {
  const { plane, visitor } = visit();
  await prepared(plane);
  const ann = await visitor();
  const { page } = ann;
  await signIn(ann, plane, people.owner);
  await ann.open('/#/plan');
  await page.getByText('80 % of the wallet is used.').waitFor();
  const receipts = page.getByRole('region', { name: 'Receipts, newest first' });
  await receipts.getByRole('cell', { name: people.owner }).first().waitFor();
  expect(await receipts.getByRole('row').count()).toBe(6);
  const first = receipts.getByRole('row').nth(1);
  expect(await first.getByRole('cell').allInnerTexts()).toEqual([
    expect.any(String),
    'dream',
    people.member,
    '28,210, 2,950',
    expect.stringMatching(/^\$0\.1/),
    '$0.0718',
  ]);
  await page.getByLabel('By member').check();
  await page.getByText('3 calls').waitFor();

  const caps = page.getByRole('list', { name: 'Caps of members' });
  await caps.getByText('$0.35 of $0.40 used in this period').waitFor();
  await button(page, 'Set a cap').click();
  const dialog = page.getByRole('dialog', { name: 'Cap of a member' });
  await dialog.getByLabel('Member').selectOption(people.admin);
  await dialog.getByLabel('Cap, in US dollars per period').fill('0.25');
  expect(await axeFaults(page)).toEqual([]);
  await button(dialog, 'Set the cap').click();
  await caps.getByText('$0.00 of $0.25 used in this period').waitFor();
  await button(page, `Change the cap of ${people.admin}`).click();
  expect(await dialog.getByLabel('Cap, in US dollars per period').inputValue()).toBe('0.25');
  await dialog.getByLabel('Cap, in US dollars per period').fill('0.5');
  await button(dialog, 'Set the cap').click();
  await caps.getByText('$0.00 of $0.50 used in this period').waitFor();

  const ada = await visitor();
  await signIn(ada, plane, people.admin);
  await ada.open('/#/plan');
  await ada.page.getByText('Your own cap: $0.50 left of $0.50.').waitFor();
  expect(await ada.page.getByRole('button', { name: /cap|plan/i }).count()).toBe(0);
  const member = await visitor();
  await signIn(member, plane, people.member);
  await member.open('/#/plan');
  await member.page.getByRole('heading', { name: 'Your spend' }).waitFor();
  await member.page.getByText('task').first().waitFor();
  expect(await member.page.getByText(people.owner).count()).toBe(0);
  expect(await member.page.getByRole('heading', { name: 'Caps of members' }).count()).toBe(0);

  await button(page, `Remove the cap of ${people.admin}`).click();
  await page.getByText(`${people.admin} may use the whole wallet.`).waitFor();
  await caps.getByText(people.admin).waitFor({ state: 'detached' });
});

test('lets the operator set the plan of another organisation', async () => {
  const { plane, visitor } = visit();
  await prepared(plane);
  await addMember(plane, { email: 'eve@bakery.example', role: 'owner', org: 'Bakery', tier: 'community' });
  const ann = await visitor();
  const { page } = ann;
  await signIn(ann, plane, people.owner);
  await ann.open('/#/organisations');
  await page.getByLabel('Find an organisation').fill('eve@');
  const list = page.getByRole('list', { name: 'Organisations' });
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
  await button(page, 'Change the plan of Bakery').click();
  const dialog = page.getByRole('dialog', { name: 'Plan of Bakery' });
  await dialog.getByLabel('Plan', { exact: true }).selectOption('team');
  await dialog.getByLabel('Wallet cap').fill('12.5');
  expect(await axeFaults(page)).toEqual([]);
  await button(dialog, 'Set the plan').click();
  await list.getByText('$0.00 of $12.50 used').waitFor();
  await list.getByText('Team', { exact: true }).waitFor();
});

test('sets up, changes and removes a connector', async () => {
  const { plane, visitor } = visit();
  await prepared(plane);
  const ann = await visitor();
  const { page } = ann;
  await signIn(ann, plane, people.owner);
  await ann.open('/#/connectors');
  await button(page, 'Set up Slack').click();
  const dialog = page.getByRole('dialog', { name: 'Client at Slack' });
  await dialog.getByLabel('Client id').fill('slack-1');
  expect(await button(dialog, 'Save').isDisabled()).toBe(true);
  await dialog.getByLabel('Client secret').fill('a secret of Slack');
  expect(await axeFaults(page)).toEqual([]);
  await button(dialog, 'Save').click();
  await page.getByText('Client slack-1').waitFor();
  await button(page, 'Change Slack').click();
  expect(await dialog.getByLabel('Client secret').inputValue()).toBe('');
  await dialog.getByLabel('Client id').fill('slack-2');
  await dialog.getByLabel('Client secret').fill('another secret');
  await button(dialog, 'Save').click();
  await page.getByText('Client slack-2').waitFor();
  await button(page, 'Remove Slack').click();
  await button(page.getByRole('alertdialog'), 'Remove').click();
  await button(page, 'Set up Slack').waitFor();
  expect(await page.getByText('secret of Slack').count()).toBe(0);
});

test('saves, tests and removes single sign-on', async () => {
  const { plane, visitor } = visit();
  await prepared(plane);
  for (const kind of ['warn', 'info', 'log'] as const) vi.spyOn(console, kind).mockImplementation(() => undefined);
  const provider = await startIdentityProvider(`${plane.url}/api/sso/callback`);
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await provider.close();
  });
  const ann = await visitor();
  const { page } = ann;
  ann.expectFault(/status of 502/);
  await signIn(ann, plane, people.owner);
  await ann.open('/#/sso');
  await page.getByLabel('Issuer').fill('http://127.0.0.1:9');
  await page.getByLabel('Client id').fill(identityClient.clientId);
  await page.getByLabel('Client secret').fill(identityClient.clientSecret);
  await page.getByLabel('Domains of e-mail addresses').fill('acme.example');
  await button(page, 'Save').click();
  await button(page, 'Test the provider').click();
  await page.getByText('The test failed.').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByLabel('Issuer').fill(provider.issuer);
  expect(await button(page, 'Test the provider').isDisabled()).toBe(true);
  await page.getByLabel('Client secret').fill(identityClient.clientSecret);
  await page.getByRole('switch').click();
  await button(page, 'Save').click();
  await page.getByText('Members sign in here').waitFor();
  await button(page, 'Test the provider').click();
  await page.getByText(`Sign-in address: ${provider.issuer}.`).waitFor();
  await page.getByText('not verified', { exact: true }).waitFor();

  const ada = await visitor();
  await signIn(ada, plane, people.admin);
  await ada.open('/#/sso');
  expect(await ada.page.getByLabel('Issuer').getAttribute('readonly')).not.toBeNull();
  expect(await ada.page.getByRole('button', { name: /^(Save|Remove|Test)/ }).count()).toBe(0);

  await button(page, 'Remove').click();
  await button(page.getByRole('alertdialog'), 'Remove').click();
  await page.getByText('Members sign in here').waitFor({ state: 'detached' });
  expect(await page.getByLabel('Issuer').inputValue()).toBe('');
});

test('asks a device for sign-in at its next request after another device signed it out', async () => {
  const { plane, visitor } = visit();
  await prepared(plane);
  const [desk, phone] = [
    await visitor({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0' }),
    await visitor({ viewport: { width: 360, height: 740 } }),
  ];
  const reply = await plane.call('POST', '/api/account/sign-in', {
    body: { email: people.viewer, password: filled?.viewer.password },
    headers: { 'user-agent': 'Mozilla/5.0 (Android 16; Mobile) Firefox/150.0' },
  });
  const [name = '', value = ''] = reply.headers.get('set-cookie')?.split(';', 1)[0]?.split('=', 2) ?? [];
  await phone.page.context().addCookies([{ name, value, url: plane.url }]);
  await phone.open('/#/notes');
  await signIn(desk, plane, people.viewer);
  await desk.open('/#/account');
  await button(desk.page, 'Sign out Firefox on Android').click();
  await desk.page.getByText('Firefox on Android is signed out.').waitFor();
  await button(desk.page, 'Sign out Firefox on Android').waitFor({ state: 'detached' });
  phone.expectFault(/status of 401/);
  await button(phone.page, 'Show pages').click();
  await phone.page.getByRole('link', { name: 'Members' }).click();
  await phone.page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  await phone.page.reload();
  await phone.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
});

const forAll = ['Overview', 'Members', 'Plan and wallet', 'Your account', 'Your sessions', 'Notes', 'Bus', 'Policy', 'Fleet'];

test.each([
  [
    'viewer',
    [...forAll, 'Connectors'],
    { audit: 'This page requires the role admin', sso: 'This page requires the role admin', status: 'This page requires the role admin' },
  ],
  [
    'member',
    [...forAll, 'Connectors'],
    { audit: 'This page requires the role admin', organisations: 'owners of the organisation that operates this control plane' },
  ],
  ['admin', [...forAll, 'Audit', 'Single sign-on', 'Connectors', 'Status'], { organisations: 'owners of the organisation that operates this control plane' }],
  ['owner', [...forAll, 'Audit', 'Single sign-on', 'Organisations', 'Connectors', 'Status'], { nowhere: 'No page exists at this address.' }],
] as const)('shows a %s the permitted pages and an explanation at an address that is not permitted', async (role, titles, refused) => {
  const { plane, visitor } = visit();
  await prepared(plane);
  const person = await visitor();
  const { page } = person;
  await signIn(person, plane, people[role]);
  await person.open('/#/');
  expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts()).toEqual(titles);
  for (const [address, why] of Object.entries(refused)) {
    await person.open(`/#/${address}`);
    await page.getByText(why).waitFor();
    await page.getByRole('link', { name: 'Go to the overview' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
  }
});

test('filters the audit log, sets its retention and reports a changed chain', async () => {
  const { plane, visitor } = visit();
  const { owner } = await prepared(plane);
  const ann = await visitor();
  const { page } = ann;
  await signIn(ann, plane, people.owner);
  await ann.open('/#/audit');
  const events = page.getByRole('region', { name: 'Events, newest first' });
  await page.getByLabel('Action', { exact: true }).selectOption({ label: 'Plan changed' });
  await events.getByText('100 → 25').waitFor();
  await button(page, 'Clear filters').click();
  await page.getByLabel('Days').fill('400');
  await button(page, 'Save').click();
  await page.getByText('Lines are kept for 400 days.').waitFor();
  await button(page, 'Check the chain').click();
  await page.getByText('The log is unchanged.').waitFor();
  expect(await axeFaults(page)).toEqual([]);

  const ada = await visitor();
  await signIn(ada, plane, people.admin);
  await ada.open('/#/audit');
  await ada.page.getByText('Lines are kept for 400 days. Only an owner can change the retention.').waitFor();

  await plane.kernel.resolve('database').query('delete from audit_event where org_id = $1 and seq = 3', [owner.orgId]);
  await button(page, 'Check the chain').click();
  await page.getByText('The log was changed at line 3.').waitFor();
  expect(await axeFaults(page)).toEqual([]);
});
