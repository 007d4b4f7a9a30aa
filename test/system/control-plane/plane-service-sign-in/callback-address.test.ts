import { expect, test } from 'vitest';
import { callbackAddressOf } from '../../../../builtins/control-plane/plane-service-sign-in/callback-address.ts';
import { createUserCode, readUserCode } from '../../../../builtins/control-plane/plane-service-sign-in/user-code.ts';

const path = '/api/hub/auth/callback';

test.each(['http://127.0.0.1:3001', 'http://[::1]:3001', 'http://localhost:49152', 'http://127.0.0.1'])('accepts %s for the license hand-over', (origin) => {
  expect(callbackAddressOf(origin + path)).toMatchObject({ url: origin + path, origin });
});

test.each([
  '',
  'nonsense',
  `https://127.0.0.1:3001${path}`,
  `http://127.0.0.1:3001${path}/`,
  `http://127.0.0.1:3001${path}?next=1`,
  `http://127.0.0.1:3001${path}#x`,
  `http://127.0.0.1:3001/api/hub/../hub/auth/callback`,
  `http://127.0.0.1:3001/api/hub/auth`,
  `http://127.0.0.1:3001//api/hub/auth/callback`,
  `http://127.0.0.1.evil.example${path}`,
  `http://127.0.0.1:3001@evil.example${path}`,
  `http://evil@127.0.0.1:3001${path}`,
  `http://evil.example:3001${path}`,
  `http://localhost.evil.example${path}`,
  `http://127.0.0.2:3001${path}`,
  `http://0x7f.1:3001${path}`,
  `http://2130706433:3001${path}`,
  `http://0.0.0.0:3001${path}`,
  `http://[::ffff:127.0.0.1]:3001${path}`,
  `http://LOCALHOST:3001${path}`,
  `http://127.0.0.1:3001\\@evil.example${path}`,
  `http://127.0.0.1:3001/api/hub\t/auth/callback`,
  ` http://127.0.0.1:3001${path}`,
  `//127.0.0.1:3001${path}`,
  `javascript:alert(1)//127.0.0.1${path}`,
  `file://127.0.0.1${path}`,
])('rejects the callback address %s', (address) => {
  expect(callbackAddressOf(address)).toBeUndefined();
});

test('creates user codes without ambiguous letters and reads them in any case, with spaces or hyphens', () => {
  for (let count = 0; count < 200; count++) {
    const code = createUserCode();
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
    expect(readUserCode(` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `)).toBe(code);
  }
  for (const wrong of ['', 'BCDF', 'BCDFGHJKL', 'BCDFGHJA', 'BCDFGHJ0', '%', 'bcdf_ghjk']) expect(readUserCode(wrong)).toBeUndefined();
});
