// Tests a remote viewer of a mirrored window through a relay that forges frames.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { secretIn } from '../../../plugins/lib/sealed-link.ts';
import { findBrowser, missingBrowser } from '../../helpers/browser.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { openMirroredWindow, type MirroredWindow } from '../../helpers/mirrored-window.ts';
import { missingForOutside, startOutsideNodes, type OutsideNodes } from '../../helpers/relay-nodes.ts';
import { openGuest, type ReadingGuest } from '../../helpers/relay.ts';
import { sharedBrowser } from '../../helpers/use-browser.ts';

const missing = findBrowser() === undefined ? missingBrowser : missingForOutside;
const isMissing = missing !== undefined && process.env['CI'] === undefined;
const page = `<p></p><script>setInterval(() => document.querySelector('p').textContent = Date.now(), 100)</script>`;

let outside: OutsideNodes;
let window: MirroredWindow;
let harness: Harness;
let home: string;
beforeAll(async () => {
  if (isMissing) return;
  if (missing !== undefined) throw new Error(missing);
  outside = await startOutsideNodes();
  window = await openMirroredWindow(await sharedBrowser(), page);
  home = await mkdtemp(join(tmpdir(), 'mirror-home-'));
  await writeFile(join(home, 'license.json'), JSON.stringify({ token: outside.license }));
  harness = await startHarness({
    home,
    builtins: ['model-demo', 'hub', 'remote', 'remote-cloud'],
    environment: { AGENT_HUB_SITE_URL: outside.url, AGENT_LICENSE_PUBLIC_KEY: outside.publicKey, APP_REMOTE_BIND_HOST: 'off' },
    modules: { 'desktop-window': window.plugin },
  });
}, 90_000);
beforeEach(async (context) => {
  if (isMissing) return context.skip(missing);
  await outside.startNodes();
});
afterEach(async () => {
  if (isMissing) return;
  outside.tamper = undefined;
  await harness.call('DELETE', '/api/remote');
});
afterAll(async () => {
  if (isMissing) return;
  await harness.close();
  await window.close();
  await Promise.all([outside.close(), rm(home, { recursive: true, force: true })]);
});

async function come(role: string): Promise<ReadingGuest> {
  const { status, body } = await harness.call('POST', '/api/remote', { role, transport: 'cloud' });
  expect(status).toBe(200);
  const address = new URL(body.urls[0]);
  const secret = secretIn(address.hash.slice('#k='.length)) ?? new Uint8Array(32);
  const guest = openGuest({ origin: address.origin, code: address.pathname.slice('/join/'.length), secret });
  onTestFinished(() => guest.close());
  await guest.until(({ frames }) => frames.length > 0);
  return guest;
}

async function sees(guest: ReadingGuest, more: number): Promise<void> {
  const before = guest.frames.length;
  await guest.until(({ frames }) => frames.length >= before + more);
}

test('rejects a frame that was changed in transit and keeps the host and other viewers running', async () => {
  const [guest, other] = [await come('view'), await come('view')];
  await sees(guest, 2);
  let done = 0;
  outside.tamper = ({ path, status, reply }) => {
    if (done > 0 || !path.includes('/poll') || status !== 200 || reply.length === 0) return undefined;
    done++;
    return Buffer.from(reply.map((byte, at) => (at === reply.length - 1 ? byte ^ 1 : byte)));
  };
  const isRefused = ({ states }: ReadingGuest): boolean => states.at(-1)?.state === 'refused';
  await expect.poll(() => [done, [guest, other].filter(isRefused).length], { timeout: 30_000 }).toEqual([1, 1]);
  const hurt = isRefused(guest) ? guest : other;
  expect(hurt.states.at(-1)?.why).toContain('was incomplete');
  const seen = hurt.frames.length;
  await sees(hurt === guest ? other : guest, 4);
  expect([done, hurt.frames.length]).toEqual([1, seen]);
  expect((await harness.call('GET', '/api/status')).status).toBe(200);
}, 60_000);
