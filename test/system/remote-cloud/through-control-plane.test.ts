// Tests relay screen sharing end to end: a browser page as window, the service, a control plane, and a viewer with only the address.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openRelaySession } from '../../../plugins/lib/relay-host.ts';
import { secretIn, secretText } from '../../../plugins/lib/sealed-link.ts';
import { encodeGreeting, tunnelVersion } from '../../../plugins/lib/tunnel-codec.ts';
import { findBrowser, launchBrowser, missingBrowser } from '../../helpers/browser.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { openMirroredWindow, type MirroredWindow } from '../../helpers/mirrored-window.ts';
import { addMember, startPlane, type Plane } from '../../helpers/plane.ts';
import { askAs, openGuest, type ReadingGuest } from '../../helpers/relay.ts';

if (findBrowser() === undefined) throw new Error(missingBrowser);

let browser: Browser;
let plane: Plane;
let window: MirroredWindow;
beforeAll(async () => {
  [browser, plane] = await Promise.all([launchBrowser(), startPlane()]);
  window = await openMirroredWindow(
    browser,
    '<button style="position:fixed;inset:0" onclick="this.textContent = `pressed ${++window.n}`; ">press</button><script>window.n = 0</script>',
  );
});
afterAll(async () => {
  await window.close();
  await Promise.all([browser.close(), plane.close()]);
});

/** @param token license, or undefined for a signed-out home */
async function start(token: string | undefined, environment: Record<string, string> = {}): Promise<Harness> {
  const home = await mkdtemp(join(tmpdir(), 'cloud-home-'));
  if (token !== undefined) await writeFile(join(home, 'license.json'), JSON.stringify({ token }));
  const harness = await startHarness({
    home,
    builtins: ['model-demo', 'hub', 'remote', 'remote-cloud'],
    environment: {
      ...{ AGENT_HUB_SITE_URL: plane.url, AGENT_LICENSE_PUBLIC_KEY: await plane.kernel.resolve('planeKeys').publicKey(), APP_REMOTE_BIND_HOST: 'off' },
      ...environment,
    },
    modules: { 'desktop-window': window.plugin },
  });
  onTestFinished(async () => {
    await harness.close();
    await rm(home, { recursive: true, force: true });
  });
  return harness;
}
const open = (harness: Harness, role: string) => harness.call('POST', '/api/remote', { role, transport: 'cloud' });
function come(address: string): ReadingGuest {
  const url = new URL(address);
  const secret = secretIn(url.hash.slice('#k='.length));
  const guest = openGuest({ origin: url.origin, code: url.pathname.slice('/join/'.length), secret: secret ?? new Uint8Array(32) });
  onTestFinished(() => guest.close());
  return guest;
}

test('shows the window to a viewer, accepts inputs after approval and disconnects the viewer when sharing ends', async () => {
  const { token } = await addMember(plane, { email: 'ann@example.org', role: 'member', tier: 'pro' });
  const harness = await start(token);
  const { status, body: code } = await open(harness, 'control');
  expect([status, code.transport, code.urls]).toEqual([200, 'cloud', [expect.stringMatching(new RegExp(`^${plane.url}/join/${code.code}#k=[\\w-]{43}$`))]]);
  const guest = come(code.urls[0]);
  await guest.until(({ frames, texts }) => frames.length > 0 && texts.some(({ type, host }) => type === 'state' && host === 'shown'));
  guest.click();
  await guest.until(({ texts }) => texts.some(({ type, reason }) => type === 'refused' && reason === 'waiting'));
  const [asking] = (await harness.call('GET', '/api/remote')).body.guests;
  expect(asking).toMatchObject({ state: 'waiting', transport: 'cloud', name: 'Phone', address: '127.0.0.1', words: guest.words() });
  await harness.call('POST', `/api/remote/guests/${asking.guestId}`, { allow: true });
  await guest.until(({ texts }) => texts.some(({ type, mayControl }) => type === 'state' && mayControl === true));
  await guest.press();
  await expect.poll(() => window.page.textContent('button')).toBe('pressed 1');
  await harness.call('DELETE', '/api/remote');
  await guest.until(({ states, texts }) => states.at(-1)?.state === 'refused' || texts.at(-1)?.type === 'ended');
  expect((await harness.call('GET', '/api/remote')).body).toMatchObject({ codes: [], guests: [] });
}, 60_000);

test('shows the window on the page of the link, also after a reload, and reports a link without its key', async () => {
  const { token } = await addMember(plane, { email: 'kim@example.org', role: 'member', tier: 'pro' });
  const harness = await start(token);
  const [address = ''] = (await open(harness, 'control')).body.urls;
  const context = await browser.newContext({ viewport: { width: 390, height: 780 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(address);
  // The first load leaves, and the second one joins with new keys.
  for (let load = 0; load < 2; load++) {
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('status').getByText('Watching').waitFor();
    expect(page.url()).toBe(address.replace(/#.*/, ''));
    await page.reload();
  }
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await page.getByText('the part after # is missing').waitFor();
}, 60_000);

test('the page names the older side if its host has another version', async () => {
  const { token } = await addMember(plane, { email: 'lea@example.org', role: 'member', tier: 'pro' });
  const [code, secret] = ['NEWHOST2', new Uint8Array(32).fill(7)];
  const ending = new AbortController();
  const session = await openRelaySession({
    ...{ code, role: 'view', secret, ttlMs: 60_000, signal: ending.signal, ask: askAs(token, plane.url) },
    admit(line) {
      line.send(encodeGreeting({ v: tunnelVersion + 1 }));
      return { take: () => undefined, close: () => undefined };
    },
    warn: () => undefined,
    onBurned: () => undefined,
  });
  onTestFinished(async () => {
    ending.abort();
    await session.over;
  });
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(`${session.url}#k=${secretText(secret)}`);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByText('This page has an older version than the computer.').first().waitFor();
}, 60_000);

test('reports a missing account, an unreachable relay and a relay without TLS', async () => {
  const { token } = await addMember(plane, { email: 'eve@example.org', role: 'member', tier: 'pro' });
  const signedOut = await open(await start(undefined), 'view');
  expect([signedOut.status, signedOut.body.error.message]).toEqual([409, expect.stringContaining('requires a Pro account')]);
  const away = await open(await start(token, { APP_REMOTE_CLOUD_ORIGIN: 'http://127.0.0.1:9' }), 'view');
  expect([away.status, away.body.error.message]).toEqual([503, expect.stringContaining('cannot be reached')]);
  const open_ = await open(await start(token, { APP_REMOTE_CLOUD_ORIGIN: 'http://relay.example.org' }), 'view');
  expect([open_.status, open_.body.error.message]).toEqual([503, expect.stringContaining('does not use TLS')]);
}, 60_000);

test('reports a control plane whose page for viewers is older or newer, and ends the session there', async () => {
  const { token } = await addMember(plane, { email: 'zoe@example.org', role: 'member', tier: 'pro' });
  const ended: string[] = [];
  let tunnel: number | undefined;
  const relay = createServer((request, response) => {
    if (request.method === 'DELETE') ended.push(request.url ?? '');
    const session = { session: 'relay_1', code: 'CODE2345', url: 'https://old.example.org/join/CODE2345', expiresAt: '', tunnel };
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(JSON.stringify(session)));
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  onTestFinished(() => void relay.close().closeAllConnections());
  const harness = await start(token, { APP_REMOTE_CLOUD_ORIGIN: `http://127.0.0.1:${(relay.address() as AddressInfo).port}` });
  for (const [version, older] of [
    [undefined, 'the control plane'],
    [2, 'this server'],
  ] as const) {
    tunnel = version;
    const { status, body } = await open(harness, 'view');
    expect([status, body.error.code, body.error.message]).toEqual([409, 'page_version', expect.stringContaining(`Update ${older}`)]);
  }
  await expect.poll(() => ended).toEqual(['/api/remote/sessions/relay_1', '/api/remote/sessions/relay_1']);
  expect((await harness.call('GET', '/api/remote')).body.codes).toEqual([]);
}, 60_000);
