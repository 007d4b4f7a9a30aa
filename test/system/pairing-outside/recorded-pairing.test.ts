// Tests a device that was paired by version 0.2: its stored link and record connect it without a new pairing.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openPhone } from '../../helpers/phone-link.ts';
import { useSignedInHome } from './signed-in-home.ts';

/** Data that the page of the device stored. */
const phone = {
  code: 'J6JKCF54',
  secret: 's0oIvwOgi9yW03iEDe_vLMAidAWaVL2mST3C_gFg2iU',
  token: '8bcecad82463e899f614dc550bba40b90ede237788b2a839026755f238bd5310',
};
const deviceId = '21c6ee9e904bc505';
const files = {
  'outside_links.json': { links: [{ deviceId, code: phone.code, secret: phone.secret }] },
  'paired_devices.json': {
    devices: [
      {
        ...{ id: deviceId, name: 'Phone', role: 'view', createdAt: '2026-12-01T02:38:04.302Z' },
        hash: '9c34f8f215ebf4f913b23bcaabb054cf527738114cbc8509eeb9c244fdf0e417',
      },
    ],
  },
};

const { home, plane, start } = useSignedInHome();
beforeAll(async () => {
  for (const [name, content] of Object.entries(files)) await writeFile(join(home, name), JSON.stringify(content));
});

test('connects a device with its stored link and its role', async () => {
  const harness = await start({ builtins: ['model-demo', 'hub', 'pairing', 'pairing-outside'] });
  onTestFinished(async () => void (await harness.close()));
  const opened = async (): Promise<number> => (await plane.kernel.resolve('database').query('select 1 from relay_session')).length;
  await expect.poll(opened).toBe(1);
  const { link, states, call } = openPhone(plane.url, phone);
  onTestFinished(() => link.close());
  expect([(await call('GET', '/api/status')).status, (await call('POST', '/api/chats', {})).status]).toEqual([200, 403]);
  expect(states.at(-1)).toEqual(['open']);
}, 60_000);
