// Tests the errors when no desktop window can open. No browser is needed.
import { expect, onTestFinished, test, vi } from 'vitest';
import { createCommandLine } from '../../../helpers/command-line.ts';
import { startHarness, type Harness, type HarnessOptions } from '../../../helpers/harness.ts';

let harness: Harness;

const screen = { DISPLAY: ':1' };
async function refusal(options: HarnessOptions, environment: Record<string, string> = screen): Promise<unknown> {
  harness = await startHarness(options);
  return harness.kernel
    .resolve('desktopWindow')
    .open({ environment })
    .then(
      () => 'opened',
      ({ code }: { code: string }) => code,
    );
}
const withProgram = (AGENT_DESKTOP_BROWSER_PATH: string): HarnessOptions => ({ environment: { AGENT_DESKTOP_BROWSER_PATH } });

test('returns NO_BROWSER for a configured browser that does not exist', async () =>
  expect(await refusal(withProgram('/nowhere/chromium'))).toBe('DESKTOP_WINDOW_ERR_NO_BROWSER'));

test('returns NO_SCREEN on Linux without a screen', async () =>
  expect(await refusal(withProgram(process.execPath), { DISPLAY: '', WAYLAND_DISPLAY: '' })).toBe(
    process.platform === 'linux' ? 'DESKTOP_WINDOW_ERR_NO_SCREEN' : 'DESKTOP_WINDOW_ERR_NOT_OPENED',
  ));

test('returns NOT_OPENED for a program that is not a browser', async () =>
  expect(await refusal(withProgram(process.execPath))).toBe('DESKTOP_WINDOW_ERR_NOT_OPENED'));

test('returns NO_PAGE for a distribution without a page', async () =>
  expect(await refusal({ builtins: ['desktop-window'] })).toBe('DESKTOP_WINDOW_ERR_NO_PAGE'));

test('returns NOT_LISTENING for a server that does not listen', async () => expect(await refusal({ listen: false })).toBe('DESKTOP_WINDOW_ERR_NOT_LISTENING'));

test('rejects remote callers, including the owner, and invalid requests', async () => {
  harness = await startHarness(withProgram('/nowhere/chromium'));
  const principal = { kind: 'owner', id: 'owner', role: 'owner' } as const;
  const reply = await harness.kernel.resolve('http').dispatch({ method: 'POST', path: '/api/desktop/window', body: {} }, { principal });
  expect(reply.status).toBe(403);
  expect(JSON.parse(reply.body.toString('utf8'))).toMatchObject({ error: { code: 'not_local' } });
  expect((await harness.call('POST', '/api/desktop/window', { environment: { LD_PRELOAD: '/tmp/x.so' } })).status).toBe(400);
  expect((await harness.call('POST', '/api/desktop/window', { chatId: '../x' })).status).toBe(400);
});

test.skipIf(process.platform !== 'linux')('doctor checks the window only with a screen or a configured browser', async () => {
  vi.stubEnv('DISPLAY', '');
  vi.stubEnv('WAYLAND_DISPLAY', '');
  const commands = await createCommandLine({ builtins: ['cli', 'desktop-window'] });
  onTestFinished(() => void vi.unstubAllEnvs());
  expect((await commands.run(['doctor'])).stdout).not.toMatch(/desktop window|DISPLAY/);
  expect((await commands.run(['doctor'], { environment: { AGENT_DESKTOP_BROWSER_PATH: '/nowhere' } })).stdout).toContain(
    'No browser was found for the desktop window.',
  );
});
