// Tests the account page with a control plane: sign-in by code, unlocked features, license renewal, notes sync, phone pairing, sign-out.
import { expect, onTestFinished, test } from 'vitest';
import { pairPhone } from '../../helpers/phone-link.ts';
import { startPlane } from '../../helpers/plane.ts';
import { axeFaults } from './axe-faults.ts';
import { button, isIdle, useBrowser } from '../../helpers/use-browser.ts';
import { setUpToken, signUp } from './plane-accounts.ts';

const visit = useBrowser();

test('signs in with a confirmed code, shows what the license unlocks, resolves a sync conflict, and signs out', async () => {
  const plane = await startPlane();
  onTestFinished(() => plane.close());
  const ann = await signUp(plane, { email: 'ann@example.org', orgName: 'Acme', setup: await setUpToken(plane) });
  const laidDown = await plane.call('PUT', '/api/team/policy', { cookie: ann.cookie, body: { base: 0, policy: { blockedTools: ['run_command'] } } });
  expect(laidDown.status).toBe(200);
  const publicKey = await plane.kernel.resolve('planeKeys').publicKey();
  const { page, origin, server } = await visit({ environment: { AGENT_HUB_SITE_URL: plane.url, AGENT_LICENSE_PUBLIC_KEY: publicKey }, script: [] });
  await isIdle(page);
  await page.goto(`${origin}/#/account`);
  await page.getByText('Sign in with a code or a license').click();
  await button(page, 'Get a code').click();
  const shown = page.locator('.account-code');
  await shown.waitFor();
  expect(await axeFaults(page)).toEqual([]);
  const userCode = (await shown.innerText()).replace(/^Code:/, '').trim();
  expect(userCode).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
  await page.getByRole('link', { name: `${plane.url}/device` }).waitFor();
  expect((await plane.call('POST', '/api/device/approve', { cookie: ann.cookie, body: { userCode } })).status).toBe(200);

  await page.getByText('ann@example.org').waitFor({ timeout: 30_000 });
  await page.getByText('Enterprise').first().waitFor();
  await page.getByText(/renewed automatically from/).waitFor();
  await page.getByText(/Only your own keys are used|Managed inference is used/).waitFor();
  expect(await page.locator('li[data-unlocked="false"]').count()).toBe(0);
  await page.getByText('run_command is blocked').waitFor();
  await page.getByText('for all members').waitFor();
  const own = page.getByRole('region', { name: 'Your notes on your machines' });
  await own.getByText('Nothing is uploaded until you agree').waitFor();
  await button(own, 'Preview the upload…').click();
  await page.getByRole('dialog', { name: 'Your notes on your machines' }).getByRole('button', { name: 'Keep in sync' }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await button(page.getByRole('dialog'), 'Keep in sync').click();
  await own
    .getByText(/Last synced|Not synced yet/)
    .first()
    .waitFor();
  expect(await axeFaults(page)).toEqual([]);
  const sync = () => server.call('POST', '/api/sync/run', { target: 'cloud' });
  const note = { type: 'fact', key: 'db', scope: 'global' };
  await server.call('POST', '/api/memory', { ...note, value: 'postgres' });
  await sync();
  const path = '/api/pro/cloud_sync/notes?workspace=global';
  const { revision } = (await plane.call('GET', path, { cookie: ann.cookie })).body;
  const elsewhere = { key: 'fact:db', value: 'of another machine', updatedAt: new Date(Date.now() - 1).toISOString() };
  const change = { clientId: 'elsewhere', mutationId: 1, base: revision, upserts: [elsewhere], tombstones: [] };
  expect((await plane.call('PUT', path, { cookie: ann.cookie, body: change })).status).toBe(200);
  await server.call('POST', '/api/memory', { ...note, value: 'of this machine' });
  await sync();
  await own.getByText('1 text from concurrent changes').click();
  await own.getByText('of another machine', { exact: true }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await button(own, 'Use this text for fact:db').click();
  await page.getByText('fact:db was restored.').waitFor();
  await own.getByText('1 text kept').waitFor({ state: 'detached' });
  await expect
    .poll(async () => (await plane.call('GET', path, { cookie: ann.cookie })).body.notes.map(({ value }: any) => value))
    .toEqual(['of another machine']);

  await button(page, 'Sign out').click();
  await page.getByText('Sign in with a code or a license').waitFor();
  const held = async (): Promise<string[]> =>
    (await plane.call('GET', '/api/account/sessions', { cookie: ann.cookie })).body.sessions.map((one: { readonly via: string }) => one.via);
  await expect.poll(held).toEqual(['session']);
});

test('reports a sign-in at a control plane with an unknown key and stops waiting', async () => {
  const plane = await startPlane();
  onTestFinished(() => plane.close());
  const ann = await signUp(plane, { email: 'ann@example.org', orgName: 'Acme', setup: await setUpToken(plane) });
  const { page, origin, expectFault } = await visit({ environment: { AGENT_HUB_SITE_URL: plane.url }, script: [] });
  await isIdle(page);
  expectFault(/ERR_|status of 400|outside/);
  // The other tab shows the control plane's page without a session. How far it loads before it is closed varies.
  expectFault(/status of 401 .*\/api\/account\/me/);
  await page.goto(`${origin}/#/account`);
  const [reply] = await Promise.all([
    page.waitForResponse((one) => one.url().endsWith('/api/hub/connect/begin')),
    page.waitForEvent('popup').then((tab) => tab.close()),
    button(page, 'Sign in').click(),
  ]);
  await page.getByText('Waiting for the sign-in').waitFor();
  const { searchParams } = new URL(((await reply.json()) as { connectUrl: string }).connectUrl);
  const handed = await plane.call('POST', '/api/connect/harness', {
    cookie: ann.cookie,
    body: { state: searchParams.get('state'), redirectUri: searchParams.get('redirect_uri') },
  });
  const sent = await fetch(handed.body.action, { method: 'POST', headers: { origin: plane.url }, body: new URLSearchParams(handed.body.fields) });
  expect(sent.status).toBe(400);
  await page.getByText(/signed with an unknown key.*app login --site/).waitFor();
  await page.getByText('Waiting for the sign-in').waitFor({ state: 'detached' });
  expect(await axeFaults(page)).toEqual([]);
});

test('pairs a remote phone from a signed-in account with an address and a QR code', async () => {
  const plane = await startPlane();
  onTestFinished(() => plane.close());
  const ann = await signUp(plane, { email: 'ann@example.org', orgName: 'Acme', setup: await setUpToken(plane) });
  const publicKey = await plane.kernel.resolve('planeKeys').publicKey();
  const { page, origin } = await visit({
    environment: { AGENT_HUB_SITE_URL: plane.url, AGENT_LICENSE_PUBLIC_KEY: publicKey },
    context: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    script: [],
  });
  await isIdle(page);
  await page.goto(`${origin}/#/account`);
  const choice = page.getByRole('checkbox', { name: /outside your network/ });
  const pair = button(page, 'Pair a device');
  await button(page, 'Allow devices in this network').waitFor();
  expect([await choice.count(), await pair.count()]).toEqual([0, 0]);
  await page.getByText('Sign in with a code or a license').tap();
  await button(page, 'Get a code').tap();
  const userCode = (await page.locator('.account-code').innerText()).replace(/^Code:/, '').trim();
  await plane.call('POST', '/api/device/approve', { cookie: ann.cookie, body: { userCode } });
  await page.getByText('ann@example.org').waitFor({ timeout: 30_000 });
  await page.reload();
  await choice.waitFor();
  // The sections above may still grow, so both positions are read in the same frame.
  const place = await choice.evaluate(
    (one, other) => {
      const { left, right, top } = one.parentElement!.getBoundingClientRect();
      return { isInside: left >= 0 && right <= 360, isBelow: other.getBoundingClientRect().top < top };
    },
    await pair.elementHandle(),
  );
  expect(place).toEqual({ isInside: true, isBelow: true });
  await choice.check();
  expect(await axeFaults(page)).toEqual([]);
  await pair.tap();
  const shown = page.locator('.pair-device-address');
  await shown.waitFor();
  const address = await shown.innerText();
  expect(address).toMatch(new RegExp(`^${plane.url}/phone/[0-9A-Z]{8}#k=[\\w-]{43}$`));
  await page.getByRole('img', { name: 'QR code of the pairing address' }).waitFor();
  await page.getByText('The first device that opens it is paired').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  const { token } = await pairPhone(address);
  expect(token).toMatch(/\S{20,}/);
  await page.getByText('The device is paired.').waitFor();
  await expect(pairPhone(address)).rejects.toThrow();
}, 90_000);

test('shows a pairing code only while devices in the network are allowed', async () => {
  const { page, origin } = await visit({ environment: { AGENT_PAIRING_ADDRESSES: '127.0.0.2' }, script: [] });
  await isIdle(page);
  await page.goto(`${origin}/#/account`);
  const allow = button(page, 'Allow devices in this network');
  await allow.waitFor();
  expect(await button(page, 'Pair a device').count()).toBe(0);
  expect(await page.locator('li[data-unlocked]').first().isVisible()).toBe(false);
  await allow.click();
  await button(page, 'Pair a device').click();
  await page.getByRole('img', { name: 'QR code of the pairing address' }).waitFor();
  expect(await page.locator('.pair-device-address').innerText()).toMatch(/^http:\/\/127\.0\.0\.2:\d+\/#\/pair\/[0-9A-Z]{8}$/);
  expect(await axeFaults(page)).toEqual([]);
  await button(page, 'Done').click();
  await button(page, 'Stop allowing this network').click();
  await allow.waitFor();
});
