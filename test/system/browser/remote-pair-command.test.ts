// Tests `app pair --outside` with and without an account, and the phone that opens the printed address.
import { renderUnicodeCompact } from 'uqr';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProgram, type Program } from '../../helpers/cli-program.ts';
import { isIdle } from '../../helpers/use-browser.ts';
import { useOutside } from './use-remote-phone.ts';

const outside = useOutside();
let program: Program;
beforeAll(async () => {
  program = await createProgram();
});
afterAll(() => program.clean());

test('prints the address as text and QR code with the permissions, waits, and names the paired phone', async () => {
  const { world, visit } = outside();
  const pairing = program.start(['pair', '--outside', '--role', 'chat'], { environment: { APP_HOME: world.home } });
  const [, picture = '', address = ''] = await pairing.until(
    /^([\s\S]+?)\n\nPoint the camera [\s\S]+?\n {2}(http\S+\/phone\/[0-9A-Z]{8}#k=[\w-]{43})\n[\s\S]+approvals stay with you[\s\S]+works once, for 5 minutes/,
  );
  expect(address.startsWith(`${world.url}/phone/`)).toBe(true);
  expect(picture).toBe(renderUnicodeCompact(address, { border: 2 }));
  const page = await visit(address);
  await isIdle(page);
  const { code, stdout, stderr } = await pairing.ended;
  expect([code, stderr]).toEqual([0, '']);
  const { devices } = (await world.server.call('GET', '/api/pair/devices')).body;
  expect(devices).toMatchObject([{ role: 'chat', name: expect.any(String) }]);
  expect(stdout).toContain(`Paired: ${devices[0].name} (${devices[0].id})`);
}, 120_000);
