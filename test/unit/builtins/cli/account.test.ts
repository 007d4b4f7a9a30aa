import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../../../builtins/clients/cli/show-in-browser.ts';
import { startCli } from './cli-kernel.ts';
import { useEach } from '../../../helpers/use-opened.ts';

const cli = useEach(() => startCli());

const signedOut = { connected: false, account: null, tier: 'community', status: 'community', entitlements: [], licensed: false };
const signedIn = {
  connected: true,
  account: { email: 'me@example.org', tier: 'team', source: 'browser', connectedAt: '2026-01-02T00:00:00.000Z' },
  tier: 'team',
  status: 'active',
  org: 'Analytical Engines',
  seats: 1,
  entitlements: ['team.rbac'],
  licensed: true,
};

describe('account commands without a server', () => {
  test('signs in with a license token and signs out with logout', async () => {
    expect((await cli.run(['account'])).stdout).toBe('account  none\ntier     community\nstatus   community\n');
    expect((await cli.run(['login', '--token', 'good'])).stdout).toContain('account  me@example.org (since 2026-01-02, browser)\ntier     pro\n');
    expect((await cli.run(['logout'])).stdout).toContain('account  none\n');
    expect(cli.done).toEqual(['apply good', 'clear']);
  });

  test('reports an invalid token', async () => {
    expect(await cli.run(['login', '--token', 'bad'])).toMatchObject({ code: 1, stderr: 'app: License token is not valid (LICENSING_ERR_TOKEN_INVALID)\n' });
  });

  test('prints the account as JSON', async () => {
    expect(JSON.parse((await cli.run(['account', '--json'])).stdout)).toMatchObject({ connected: false, tier: 'community' });
  });
});

describe('account commands with a server', () => {
  beforeEach(async () => {
    let account: object = signedOut;
    await cli.runServer();
    cli.server.on('GET /api/hub/account', () => ({ body: account }));
    cli.server.on('GET /api/hub/connect/begin', () => ({ body: { connectUrl: 'https://hub.example/connect/harness?state=abc', state: 'abc' } }));
    cli.server.on('POST /api/hub/auth/callback', () => {
      account = signedIn;
      return { body: { ok: true, tier: 'team' } };
    });
    cli.server.on('POST /api/hub/logout', () => {
      account = signedOut;
      return { body: { ok: true } };
    });
  });

  test('sends a license token to the server with a new state', async () => {
    expect((await cli.run(['login', '--token', 'good'])).stdout).toContain('tier     team\n');
    expect(cli.server.calls).toContain('POST /api/hub/auth/callback {"token":"good","state":"abc"}');
    expect((await cli.run(['logout'])).stdout).toContain('account  none\n');
    expect(cli.done).toEqual([]);
  });

  describe('on a machine with a browser', () => {
    beforeEach(() => {
      for (const [name, value] of Object.entries({ DISPLAY: ':0', SSH_CONNECTION: '', SSH_TTY: '', NO_BROWSER: '' })) vi.stubEnv(name, value);
      cli.server.on('GET /api/hub/connect/outcome', () => ({ body: { state: 'waiting' } }));
    });
    afterEach(() => void vi.unstubAllEnvs());

    test('login prints the URL and waits until the sign-in is complete', async () => {
      const watch = (written: string): void => {
        if (!written.includes('state=abc')) return;
        cli.server.on('GET /api/hub/account', () => ({ body: signedIn }));
        cli.server.on('GET /api/hub/connect/outcome', () => ({ body: { state: 'signed_in' } }));
      };
      const { code, stdout } = await cli.run(['login'], { watch });
      expect(code).toBe(0);
      expect(stdout).toContain('https://hub.example/connect/harness?state=abc');
      expect(stdout).toContain('account  me@example.org');
      expect(stdout).toContain('org      Analytical Engines (1 seat)');
    });

    test('login fails immediately without a control plane', async () => {
      cli.server.on('GET /api/hub/connect/begin', () => ({ body: { connectUrl: 'https://hub.example.invalid/connect/harness?state=abc', state: 'abc' } }));
      expect(await cli.run(['login'])).toMatchObject({ code: 1, stderr: expect.stringContaining('Set AGENT_HUB_SITE_URL to its address') });
    });

    test('login ends immediately when the sign-in failed and prints the reason', async () => {
      cli.server.on('GET /api/hub/connect/outcome', () => ({ body: { state: 'failed', message: 'Set AGENT_LICENSE_PUBLIC_KEY.' } }));
      expect(await cli.run(['login'])).toMatchObject({
        code: 1,
        stderr: 'Set AGENT_LICENSE_PUBLIC_KEY.\nThe sign-in was not completed; nothing has changed.\n',
      });
    });

    test('login exits 1 when it is cancelled', async () => {
      const stop = new AbortController();
      const watch = (written: string): void => {
        if (written.includes('state=abc')) stop.abort();
      };
      expect(await cli.run(['login'], { watch, signal: stop.signal })).toMatchObject({
        code: 1,
        stderr: 'The sign-in was not completed; nothing has changed.\n',
      });
    });
  });

  test.each([
    ['over SSH', ['login'], { SSH_CONNECTION: '1.2.3.4 5 6.7.8.9 22', DISPLAY: ':0' }],
    ['with --device', ['login', '--device'], { SSH_CONNECTION: '', DISPLAY: ':0' }],
  ])('%s: login shows a device code and exits 1 when the sign-in is refused', async (_, argv, environment) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    cli.server.on('POST /api/hub/device/begin', () => ({ body: { state: 'waiting', userCode: 'BCDFGHJK', verificationUrl: 'https://hub.example/device' } }));
    cli.server.on('GET /api/hub/device', () => ({ body: { state: 'refused', message: 'The sign-in was refused.' } }));
    const { code, stdout, stderr } = await cli.run(argv);
    expect([code, stderr]).toEqual([1, 'The sign-in was refused.\nThe sign-in was not completed; nothing has changed.\n']);
    expect(stdout).toContain('  https://hub.example/device\n\n  BCDF-GHJK\n');
    vi.unstubAllEnvs();
  });

  test('cancelling login cancels its device code', async () => {
    const stop = new AbortController();
    cli.server.on('POST /api/hub/device/begin', () => ({ body: { state: 'waiting', userCode: 'BCDFGHJK', verificationUrl: 'https://hub.example/device' } }));
    cli.server.on('GET /api/hub/device', () => ({ body: { state: 'waiting' } }));
    cli.server.on('POST /api/hub/device/cancel', () => ({ body: { ok: true } }));
    await cli.run(['login', '--device'], { watch: (written) => void (written.includes('BCDF') && stop.abort()), signal: stop.signal });
    expect(cli.server.calls).toContain('POST /api/hub/device/cancel {}');
  });

  test('logout reports whether the control plane revoked the license', async () => {
    cli.server.on('POST /api/hub/logout', () => ({ body: { ok: true, revoked: false, message: 'The control plane was not told.' } }));
    expect(await cli.run(['logout'])).toMatchObject({ code: 0, stderr: 'The control plane was not told.\n' });
    cli.server.on('POST /api/hub/logout', () => ({ body: { ok: true, revoked: true } }));
    expect((await cli.run(['logout'])).stdout).toContain('The control plane no longer accepts the license.\n');
  });
});

test.each<[Record<string, string>, string, boolean]>([
  [{}, 'darwin', true],
  [{}, 'win32', true],
  [{ SSH_CONNECTION: 'a' }, 'darwin', false],
  [{ SSH_TTY: '/dev/pts/0', DISPLAY: ':10' }, 'linux', false],
  [{}, 'linux', false],
  [{ DISPLAY: ':0' }, 'linux', true],
  [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
  [{ WSL_DISTRO_NAME: 'Debian' }, 'linux', false],
  [{ WSL_DISTRO_NAME: 'Debian', WSL_INTEROP: '/run/WSL/1' }, 'linux', true],
  [{ DISPLAY: ':0', NO_BROWSER: '1' }, 'linux', false],
])('hasBrowser with %o on %s is %s', (environment, platform, expected) => {
  expect(hasBrowser(environment, platform)).toBe(expected);
});
