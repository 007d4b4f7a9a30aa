import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startCli, type CliKernel } from './cli-kernel.ts';

let cli: CliKernel;
beforeEach(async () => {
  cli = await startCli();
});
afterEach(() => cli.close());

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

describe('without a server', () => {
  test('a license token signs in, and logout signs out', async () => {
    expect((await cli.run(['account'])).stdout).toBe('account  none\ntier     community\nstatus   community\n');
    expect((await cli.run(['login', '--token', 'good'])).stdout).toContain('account  me@example.org (since 2026-01-02, browser)\ntier     pro\n');
    expect((await cli.run(['logout'])).stdout).toContain('account  none\n');
    expect(cli.done).toEqual(['apply good', 'clear']);
  });

  test('a token that is not valid says so', async () => {
    expect(await cli.run(['login', '--token', 'bad'])).toMatchObject({ code: 1, stderr: 'app: License token is not valid (LICENSING_ERR_TOKEN_INVALID)\n' });
  });

  test('the account is printed as JSON', async () => {
    expect(JSON.parse((await cli.run(['account', '--json'])).stdout)).toMatchObject({ connected: false, tier: 'community' });
  });
});

describe('with a server', () => {
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

  test('a license token goes to the server with a state of its own', async () => {
    expect((await cli.run(['login', '--token', 'good'])).stdout).toContain('tier     team\n');
    expect(cli.server.calls).toContain('POST /api/hub/auth/callback {"token":"good","state":"abc"}');
    expect((await cli.run(['logout'])).stdout).toContain('account  none\n');
    expect(cli.done).toEqual([]);
  });

  test('login without a token says what to open and waits until somebody has signed in', async () => {
    const watch = (written: string): void => {
      if (written.includes('state=abc')) cli.server.on('GET /api/hub/account', () => ({ body: signedIn }));
    };
    const { code, stdout } = await cli.run(['login'], { watch });
    expect(code).toBe(0);
    expect(stdout).toContain('https://hub.example/connect/harness?state=abc');
    expect(stdout).toContain('account  me@example.org');
    expect(stdout).toContain('org      Analytical Engines (1 seat)');
  });

  test('login that is given up exits 1', async () => {
    const stop = new AbortController();
    const watch = (written: string): void => {
      if (written.includes('state=abc')) stop.abort();
    };
    expect(await cli.run(['login'], { watch, signal: stop.signal })).toMatchObject({ code: 1, stderr: 'Nobody signed in; nothing has changed.\n' });
  });
});
