// A device that is paired while the server opens what it keeps: its link is opened once, whoever asks for it, and so it stays.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createLinkStore } from '../../../builtins/account/pairing-outside/host/link-store.ts';
import { createRelayLinks, type RelayLinks } from '../../../builtins/account/pairing-outside/host/relay-links.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { openPhone, pairPhone } from '../../helpers/phone-link.ts';
import { addMember, startPlane, type Plane } from '../../helpers/plane.ts';

let plane: Plane;
let harness: Harness;
let home: string;
beforeAll(async () => {
  plane = await startPlane({ environment: { HUB_ATTEMPTS_PER_MINUTE: '10000' } });
  const { token } = await addMember(plane, { email: 'ann@example.org', role: 'member', tier: 'pro' });
  home = await mkdtemp(join(tmpdir(), 'outside-home-'));
  await writeFile(join(home, 'license.json'), JSON.stringify({ token }));
  harness = await startHarness({
    home,
    builtins: ['model-demo', 'hub', 'pairing'],
    environment: { AGENT_HUB_SITE_URL: plane.url, AGENT_LICENSE_PUBLIC_KEY: await plane.kernel.resolve('planeKeys').publicKey() },
  });
}, 60_000);
afterAll(async () => {
  await harness.close();
  await plane.close();
  await rm(home, { recursive: true, force: true });
});

test('the start of the server finds the link that a pairing has just written: the relay hears of one session, and the phone keeps it', async () => {
  const { kernel } = harness;
  const kept = createLinkStore(kernel.resolve('storage'), kernel.resolve('product'));
  const opened: string[] = [];
  const outside: RelayLinks = createRelayLinks({
    // The file is there for who starts before whoever wrote it goes on.
    store: {
      ...kept,
      async add(deviceId) {
        const link = await kept.add(deviceId);
        await outside.start();
        return link;
      },
    },
    pairing: kernel.resolve('pairing'),
    async ask(request) {
      if (request.method === 'POST' && request.path === '/api/remote/sessions') opened.push((request.body as { code: string }).code);
      return kernel.resolve('controlPlane').request(request);
    },
    door: () => Promise.resolve(harness.url),
    version: '1',
    warn: () => undefined,
  });
  onTestFinished(() => outside.close());
  const { code, expiresAt } = (await harness.call('POST', '/api/pair/begin', { role: 'full' })).body;
  const link = await pairPhone(await outside.offer({ code, expiresAt }));
  const phone = openPhone(plane.url, link);
  onTestFinished(() => phone.link.close());
  expect((await phone.call('GET', '/api/status')).status).toBe(200);
  await outside.start();
  expect((await phone.call('GET', '/api/status')).status).toBe(200);
  expect([opened.filter((one) => one === link.code).length, phone.greeted]).toEqual([1, 1]);
}, 60_000);
