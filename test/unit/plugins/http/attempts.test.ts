import { expect, test } from 'vitest';
import { createAttempts } from '../../../../plugins/http/authentication.ts';

function start(): { attempts: ReturnType<typeof createAttempts>; readonly pass: (ms: number) => void } {
  let now = 0;
  return {
    attempts: createAttempts(
      () => now,
      () => 10,
    ),
    pass: (ms) => void (now += ms),
  };
}

test('the eleventh attempt within a minute must wait for the rest of it', () => {
  const { attempts, pass } = start();
  for (let n = 0; n < 10; n++) {
    expect(attempts.secondsLeft('10.0.0.1')).toBe(0);
    attempts.fail('10.0.0.1');
  }
  pass(20_000);
  expect(attempts.secondsLeft('10.0.0.1')).toBe(40);
  pass(40_000);
  expect(attempts.secondsLeft('10.0.0.1')).toBe(0);
});

test('peers are counted separately', () => {
  const { attempts } = start();
  for (let n = 0; n < 10; n++) attempts.fail('10.0.0.1');
  expect(attempts.secondsLeft('10.0.0.2')).toBe(0);
});

test('all addresses of one IPv6 network count as one peer', () => {
  const { attempts } = start();
  for (let n = 0; n < 10; n++) attempts.fail(`2001:db8:1:2::${n.toString(16)}`);
  expect(attempts.secondsLeft('2001:db8:1:2:ffff:1:2:3')).toBeGreaterThan(0);
  expect(attempts.secondsLeft('2001:db8:1:3::1')).toBe(0);
});

test('a flood of addresses evicts the oldest first', () => {
  const { attempts } = start();
  for (let n = 0; n < 10; n++) attempts.fail('10.0.0.1');
  for (let n = 0; n < 10_000; n++) attempts.fail(`peer-${n}`);
  expect(attempts.secondsLeft('10.0.0.1')).toBe(0);
});
