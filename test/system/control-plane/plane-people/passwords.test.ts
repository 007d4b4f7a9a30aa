import { expect, test } from 'vitest';
import { emailOf } from '../../../../builtins/control-plane/plane-people/directory.ts';
import { createPasswords, isPasswordLengthAllowed } from '../../../../builtins/control-plane/plane-people/passwords.ts';

const busy = (): Error => Object.assign(new Error('busy'), { code: 'PLANE_PEOPLE_ERR_BUSY' });

test('matches a password after Unicode normalisation, and nothing without a stored hash', async () => {
  const { hash, isRight } = createPasswords(busy);
  const stored = await hash('Zoë’s password');
  expect(stored).not.toContain('password');
  const tries = ['Zoë’s password'.normalize('NFD'), 'Zoe’s password'].map((text) => isRight(text, stored));
  expect(await Promise.all([...tries, isRight('Zoë’s password', undefined), isRight('', 'scrypt$17$8$1$$')])).toEqual([true, false, false, false]);
}, 20_000);

test('computes two hashes concurrently, queues 64 and rejects more as busy', async () => {
  let running = 0;
  let most = 0;
  const finish: (() => void)[] = [];
  const { isRight } = createPasswords(busy, async () => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => finish.push(resolve));
    running--;
    return Buffer.alloc(32);
  });
  const all = Array.from({ length: 70 }, () => isRight('x', undefined).catch((fault: Error & { code?: string }) => fault.code));
  expect(await Promise.all(all.slice(66))).toEqual(Array(4).fill('PLANE_PEOPLE_ERR_BUSY'));
  for (let done = 0; done < 66; done++) {
    await expect.poll(() => finish.length, { interval: 1 }).toBeGreaterThan(0);
    finish.shift()?.();
  }
  expect(await Promise.all(all.slice(0, 66))).toEqual(Array(66).fill(false));
  expect(most).toBe(2);
});

test.each([
  ['1234567', false],
  ['12345678', true],
  ['😀'.repeat(7), false],
  ['😀'.repeat(8), true],
  ['x'.repeat(200), true],
  ['x'.repeat(201), false],
])('accepts 8 to 200 characters, counted by code point: %s', (password, isFine) => {
  expect(isPasswordLengthAllowed(password)).toBe(isFine);
});

test.each([
  ['Ann@Example.ORG', 'ann@example.org'],
  [' ann+tag@sub.example.org ', 'ann+tag@sub.example.org'],
  ['ann@localhost', 'ann@localhost'],
  ['zoë@exämple.org', 'zoë@exämple.org'],
  ['ann@example.org\r\nBcc: eve@example.org', undefined],
  ['ann@-example.org', undefined],
  ['"a b"@example.org', undefined],
  [`${'a'.repeat(65)}@example.org`, undefined],
  ['ann', undefined],
])('reads %j as the address %j', (text, email) => {
  expect(emailOf(text)).toBe(email);
});
