// Tests service sign-in from the control plane pages: by a form post to the same machine, and by a device code.
import { expect, test } from 'vitest';
import { startHarness } from '../../helpers/harness.ts';
import { axeFaults } from './axe-faults.ts';
import { button } from '../../helpers/use-browser.ts';
import { setUpToken, signIn, signUp } from './plane-accounts.ts';
import { usePlane } from './use-plane.ts';

const visit = usePlane();

test('signs in a local server by confirmation and a remote machine by device code', async () => {
  const { plane, visitor } = visit();
  const ann = await signUp(plane, { email: 'ann@example.org', orgName: 'Acme', setup: await setUpToken(plane) });
  const publicKey = await plane.kernel.resolve('planeKeys').publicKey();
  const harness = await startHarness({ builtins: ['hub'], environment: { AGENT_HUB_SITE_URL: plane.url, AGENT_LICENSE_PUBLIC_KEY: publicKey } });
  try {
    const person = await visitor({ viewport: { width: 360, height: 740 }, hasTouch: true });
    const { page } = person;
    person.expectFault(/status of 401|outside: POST http:\/\/127\.0\.0\.1/);
    const { connectUrl } = (await harness.call('GET', '/api/hub/connect/begin')).body;
    await page.goto(connectUrl);
    await page.getByRole('heading', { level: 1, name: 'Sign in', exact: true }).waitFor();
    await page.getByLabel('E-mail').fill(ann.email);
    await page.getByLabel('Password').fill(ann.password);
    await button(page, 'Sign in').click();
    await page.getByRole('heading', { level: 1, name: 'Sign in this service?' }).waitFor();
    await page.getByText(new URL(harness.url).host).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await button(page, 'Sign in the service').click();
    await page.waitForURL(`${harness.url}/**`);
    await page.getByRole('heading', { level: 1, name: /signed in/ }).waitFor();
    expect((await harness.call('GET', '/api/hub/account')).body).toMatchObject({ connected: true, account: { email: ann.email } });

    person.expectFault(/status of 409|status of 4\d\d/);
    await page.goto(connectUrl);
    await button(page, 'Sign in the service').click();
    await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor();

    const { userCode, deviceCode } = (await plane.call('POST', '/api/device/code', { body: { device: 'build-server' } })).body;
    await person.open('/device');
    expect(await axeFaults(page)).toEqual([]);
    await page.getByLabel('Code').fill('bcdfghjk');
    await button(page, 'Continue').click();
    await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
    await page.getByLabel('Code').fill(userCode.toLowerCase());
    await button(page, 'Continue').click();
    await page.getByText('build-server').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await button(page, 'Sign in the device').click();
    await page.getByRole('heading', { level: 1, name: 'The device is signed in' }).waitFor();
    expect((await plane.call('POST', '/api/device/token', { body: { deviceCode } })).status).toBe(200);

    await page.getByRole('link', { name: 'Show signed-in devices' }).click();
    const services = page.getByRole('list', { name: 'Services and devices' });
    await services.getByText('build-server').waitFor();
    expect(await services.getByRole('listitem').count()).toBe(2);
    expect(await axeFaults(page)).toEqual([]);
    await button(page, 'Sign out build-server').click();
    await expect.poll(() => services.getByRole('listitem').count()).toBe(1);
  } finally {
    await harness.close();
  }
});

test('refuses a redirect to another machine and denies a device code', async () => {
  const { plane, visitor } = visit();
  const person = await visitor();
  const { page } = person;
  person.expectFault(/status of 4\d\d/);
  await signIn(person, plane, 'ann@example.org');
  await person.open(`/connect/harness?${new URLSearchParams({ state: 'abc', redirect_uri: 'https://evil.example/api/hub/auth/callback' }).toString()}`);
  await page.getByRole('heading', { level: 1, name: 'The sign-in cannot continue' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);

  const { userCode, deviceCode } = (await plane.call('POST', '/api/device/code', { body: {} })).body;
  await person.open(`/device?code=${userCode}`);
  await button(page, 'Continue').click();
  await button(page, 'Deny').click();
  await page.getByRole('heading', { level: 1, name: 'The sign-in was denied' }).waitFor();
  expect((await plane.call('POST', '/api/device/token', { body: { deviceCode } })).status).toBeGreaterThanOrEqual(400);
});
