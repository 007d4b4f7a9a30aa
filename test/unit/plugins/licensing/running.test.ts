// Tests licenses at run time: features load and unload, and time passes.
import { afterEach, expect, test, vi } from 'vitest';
import type { Clock } from '../../../../plugins/licensing/clock.ts';
import { systemClock } from '../../../../plugins/licensing/clock.ts';
import { createLicenseTracker } from '../../../../plugins/licensing/license-tracker.ts';
import type { LicenseClaims } from '../../../../plugins/licensing/license-token.ts';
import { plugin, type Rig } from '../settings/fake-platform.ts';
import { createSigner, nowSeconds, startLicensing } from './license-kit.ts';

const signer = createSigner();
const gated = plugin('gated', { entitlement: 'pro.cloud_sync' }, (registry) => void registry.add('settings_tab', { id: 'cloud', title: 'Cloud' }));
let rig: Rig | undefined;
afterEach(() => {
  vi.useRealTimers();
  rig = undefined;
});

const stateOf = (name: string): string | undefined => rig?.kernel.control.report().plugins.find((row) => row.name === name)?.state;
const untilState = (name: string, state: string): Promise<unknown> => vi.waitFor(() => expect(stateOf(name)).toBe(state), { timeout: 5_000, interval: 10 });

test('a gated plugin loads at sign-in, unloads at sign-out, and both emit account_changed', async () => {
  rig = await startLicensing(signer, { builtins: gated });
  const received: unknown[] = [];
  rig.kernel.emitter.on('account_changed', (payload) => received.push(payload));
  expect(stateOf('gated')).toBe('locked');
  await rig.kernel.resolve('license').apply(signer.token(), 'browser');
  await untilState('gated', 'active');
  await rig.kernel.resolve('license').clear();
  await untilState('gated', 'locked');
  expect(received).toEqual([
    { tier: 'pro', status: 'active', entitlements: ['pro.cloud_sync', 'pro.managed_inference', 'pro.session_history'] },
    { tier: 'community', status: 'community', entitlements: [] },
  ]);
  expect(rig.wireEvents.get('account_changed')).toMatchObject({ keep: 'live' });
});

test('a license from the environment unlocks its plugins after the start', async () => {
  rig = await startLicensing(signer, { builtins: gated, environment: { AGENT_LICENSE_KEY: signer.token() } });
  await untilState('gated', 'active');
});

test('a license that expires at run time locks its features', async () => {
  const key = signer.token({ exp: nowSeconds() + 2 });
  rig = await startLicensing(signer, { builtins: gated, environment: { AGENT_LICENSE_KEY: key, AGENT_LICENSE_GRACE_DAYS: '0' } });
  await untilState('gated', 'active');
  await untilState('gated', 'locked');
  expect(rig.kernel.resolve('license').state()).toMatchObject({ status: 'expired', tier: 'community' });
});

test('closing during the first read leaves nothing behind', async () => {
  const started = await startLicensing(signer, { environment: { AGENT_LICENSE_KEY: signer.token() } });
  expect(await started.close()).toEqual([]);
  expect(started.kernel.trace()).toEqual([]);
  expect(started.logs).toEqual([]);
});

test('a license becomes grace and then expired at the exact times', async () => {
  const day = 86_400_000;
  const clock = createTestClock();
  const states: string[] = [];
  const claims: LicenseClaims = { sub: 'ada@example.org', tier: 'team', ent: [], iat: 0, exp: 365 * 86_400, iss: 'x' };
  const tracker = createLicenseTracker({
    settings: { licenseKey: 'token', preferEnv: false, publicKey: '', graceDays: 14 },
    files: { readToken: async () => undefined, readAccount: async () => undefined, save: async () => undefined, clear: async () => undefined },
    clock,
    readToken: async () => claims,
    readDocument: async () => undefined,
    tokenInvalid: () => new Error('invalid'),
    onChange: (state) => states.push(`${clock.now() / day} ${state.status} ${state.entitlements.length}`),
    warn: () => undefined,
  });
  await tracker.license.ready();
  for (let days = 0; days < 400; days += 1) clock.advance(day);
  expect(states).toEqual(['0 active 8', '365 grace 8', '379 expired 0']);
  await tracker.close();
  expect(clock.pending()).toBe(0);
});

test('the clock splits long waits and fires immediately for a past time', () => {
  vi.useFakeTimers();
  const wake = vi.fn();
  const cancel = systemClock.wakeAt(Date.now() + 100 * 86_400_000, wake);
  vi.advanceTimersByTime(2 ** 31 - 2);
  expect(wake).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(wake).toHaveBeenCalledTimes(1);
  cancel();
  systemClock.wakeAt(0, wake);
  vi.advanceTimersByTime(1);
  expect(wake).toHaveBeenCalledTimes(2);
});

/** Wakes at most 20 days ahead, as a real timer does. */
function createTestClock(): Clock & { advance(ms: number): void; pending(): number } {
  let now = 0;
  let timers: { at: number; wake: () => void }[] = [];
  return {
    now: () => now,
    wakeAt(time, wake) {
      const timer = { at: Math.min(time, now + 20 * 86_400_000), wake };
      timers.push(timer);
      return () => void (timers = timers.filter((one) => one !== timer));
    },
    advance(ms) {
      now += ms;
      const due = timers.filter((one) => one.at <= now);
      timers = timers.filter((one) => one.at > now);
      for (const timer of due) timer.wake();
    },
    pending: () => timers.length,
  };
}
