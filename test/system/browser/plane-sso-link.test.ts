// Tests connecting and disconnecting single sign-on for a password account.
import { expect, onTestFinished, test, vi } from 'vitest';
import { identityClient, startIdentityProvider } from '../../helpers/identity-provider.ts';
import { axeFaults } from './axe-faults.ts';
import { button } from '../../helpers/use-browser.ts';
import { setUpToken, signIn, signUp } from './plane-accounts.ts';
import { usePlane } from './use-plane.ts';

const visit = usePlane();

test('connects single sign-on after checking the account password, then disconnects it', async () => {
  const { plane, visitor } = visit();
  for (const kind of ['warn', 'info', 'log'] as const) vi.spyOn(console, kind).mockImplementation(() => undefined);
  onTestFinished(() => void vi.restoreAllMocks());
  const provider = await startIdentityProvider(`${plane.url}/api/sso/callback`);
  onTestFinished(() => provider.close());
  const ann = await signUp(plane, { email: 'ann@acme.example', orgName: 'Acme', setup: await setUpToken(plane) });
  const body = { enabled: true, issuer: provider.issuer, ...identityClient, domains: ['acme.example'] };
  expect((await plane.call('PUT', `/api/orgs/${ann.orgId}/sso`, { cookie: ann.cookie, body, headers: { origin: plane.url } })).status).toBe(200);

  const person = await visitor();
  const { page } = person;
  person.expectFault(/status of 40[13]|outside|Content Security Policy|ERR_|favicon/);
  await signIn(person, plane, ann.email);
  await person.open('/#/account');
  const section = page.getByRole('region', { name: 'Single sign-on' });
  await button(section, 'Connect Acme').click();
  await section.getByLabel('Your password for this control plane').fill('not the password');
  await button(section, 'Continue to the identity provider').click();
  await section
    .getByRole('alert')
    .filter({ hasText: /password is wrong/ })
    .waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await section.getByLabel('Your password for this control plane').fill(ann.password);
  await button(section, 'Continue to the identity provider').click();
  await page.waitForURL(`${provider.issuer}/**`);
  await page.locator('input[name="login"]').fill('ann');
  await page.locator('input[name="password"]').fill('x');
  await page.locator('button[type="submit"]').click();
  await page.waitForURL(/prompt|interaction/);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(`${plane.url}/#/account`);
  await section.getByText('connected', { exact: true }).waitFor();
  await button(section, 'Disconnect Acme').click();
  await button(section, 'Connect Acme').waitFor();
  expect(await axeFaults(page)).toEqual([]);
});
