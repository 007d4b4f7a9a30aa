// When there is no window, and what is said then. No browser is needed for that.
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

test('no browser where one was named', async () => expect(await refusal(withProgram('/nowhere/chromium'))).toBe('DESKTOP_WINDOW_ERR_NO_BROWSER'));

test('no screen', async () =>
  expect(await refusal(withProgram(process.execPath), { DISPLAY: '', WAYLAND_DISPLAY: '' })).toBe(
    process.platform === 'linux' ? 'DESKTOP_WINDOW_ERR_NO_SCREEN' : 'DESKTOP_WINDOW_ERR_NOT_OPENED',
  ));

test('a program that is no browser', async () => expect(await refusal(withProgram(process.execPath))).toBe('DESKTOP_WINDOW_ERR_NOT_OPENED'));

test('a distribution without a page', async () => expect(await refusal({ builtins: ['desktop-window'] })).toBe('DESKTOP_WINDOW_ERR_NO_PAGE'));

test('a server that does not listen', async () => expect(await refusal({ listen: false })).toBe('DESKTOP_WINDOW_ERR_NOT_LISTENING'));

test('nobody but the person at this machine: not even the owner from elsewhere', async () => {
  harness = await startHarness(withProgram('/nowhere/chromium'));
  const principal = { kind: 'owner', id: 'owner', role: 'owner' } as const;
  const reply = await harness.kernel.resolve('http').dispatch({ method: 'POST', path: '/api/desktop/window', body: {} }, { principal });
  expect(reply.status).toBe(403);
  expect(JSON.parse(reply.body.toString('utf8'))).toMatchObject({ error: { code: 'not_local' } });
  expect((await harness.call('POST', '/api/desktop/window', { environment: { LD_PRELOAD: '/tmp/x.so' } })).status).toBe(400);
  expect((await harness.call('POST', '/api/desktop/window', { chatId: '../x' })).status).toBe(400);
});

test.skipIf(process.platform !== 'linux')('doctor checks the window only where there is a screen or a chosen browser', async () => {
  vi.stubEnv('DISPLAY', '');
  vi.stubEnv('WAYLAND_DISPLAY', '');
  const commands = await createCommandLine({ builtins: ['cli', 'desktop-window'] });
  onTestFinished(() => commands.clean());
  onTestFinished(() => void vi.unstubAllEnvs());
  expect((await commands.run(['doctor'])).stdout).not.toMatch(/desktop window|DISPLAY/);
  expect((await commands.run(['doctor'], { environment: { AGENT_DESKTOP_BROWSER_PATH: '/nowhere' } })).stdout).toContain(
    'No browser was found for the desktop window.',
  );
});
