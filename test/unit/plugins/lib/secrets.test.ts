import { expect, test } from 'vitest';
import { findSecrets, hasSecret, redactSecrets } from '../../../../plugins/lib/secrets.ts';

test.each([
  ['a provider key', 'use sk-abcDEF1234567890 here', 'use [redacted] here'],
  ['a signed token', 'eyJhbGciOi.eyJzdWIi.c2ln!', '[redacted]!'],
  ['a header', 'Authorization: Bearer abcdef1234567890', 'Authorization: [redacted]'],
  ['a URL with a password', 'postgresql://me:hunter2@host/db', 'postgresql://[redacted]@host/db'],
  ['a named secret', 'the password is hunter2!', 'the password is [redacted]'],
  ['a private key', 'x -----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- y', 'x [redacted] y'],
])('%s is detected and redacted', (_, text, clean) => {
  expect(hasSecret(text)).toBe(true);
  expect(redactSecrets(text)).toBe(clean);
  expect(hasSecret(clean)).toBe(false);
});

test.each(['the token is read from the environment', 'commit 3f2a9c1d5e6b7a8c9d0e1f2a3b4c5d6e7f8a9b0c', 'see https://example.org/a:b@c', 'password: ask Ada'])(
  '%j is not a secret',
  (text) => {
    expect(hasSecret(text)).toBe(false);
    expect(redactSecrets(text)).toBe(text);
  },
);

test('findSecrets returns each secret once', () => {
  expect(findSecrets('Bearer abcdef1234567890, the password is: hunter2!x and the password is hunter2!x')).toEqual(['abcdef1234567890', 'hunter2!x']);
  expect(findSecrets('nothing here')).toEqual([]);
});
