// Tests a device that is paired while the server opens its stored links: each link opens once and persists.
import { expect, onTestFinished, test } from 'vitest';
import { createLinkStore } from '../../../builtins/account/pairing-outside/host/link-store.ts';
import { createRelayLinks, type RelayLinks } from '../../../builtins/account/pairing-outside/host/relay-links.ts';
import { openPhone, pairPhone } from '../../helpers/phone-link.ts';
import { useAll } from '../../helpers/use-opened.ts';
import { useSignedInHome } from './signed-in-home.ts';

const { plane, start } = useSignedInHome();
const harness = useAll(() => start({ builtins: ['model-demo', 'hub', 'pairing'] }));

test('opens one relay session when startup finds the link of a concurrent pairing', async () => {
  const { kernel } = harness;
  const linkStore = createLinkStore(kernel.resolve('storage'), kernel.resolve('product'));
  const opened: string[] = [];
  const outside: RelayLinks = createRelayLinks({
    // Simulates a startup that reads the file before `add` returns.
    store: {
      ...linkStore,
      async add(deviceId) {
        const link = await linkStore.add(deviceId);
        await outside.start();
        return link;
      },
    },
    pairing: kernel.resolve('pairing'),
    async ask(request) {
      if (request.method === 'POST' && request.path === '/api/remote/sessions') opened.push((request.body as { code: string }).code);
      return kernel.resolve('controlPlane').request(request);
    },
    listenerAddress: () => Promise.resolve(harness.url),
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
