// Tests forged license tokens: other algorithms, other keys, and manipulated headers.
import { createHmac, createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLicenseToken } from '../../../../plugins/licensing/license-token.ts';
import { addMember, startPlane, type Plane } from '../../../helpers/plane.ts';
import { whoAsks } from './plane-kit.ts';

let plane: Plane;
let claims: Record<string, unknown>;
let pem: string;
beforeAll(async () => {
  plane = await startPlane({ modules: { 'who-asks': whoAsks }, environment: { HUB_ATTEMPTS_PER_MINUTE: '1000' } });
  const { token } = await addMember(plane, { email: 'ann@example.org', role: 'owner' });
  claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  pem = await plane.kernel.resolve('planeKeys').publicKey();
  expect((await plane.call('GET', '/test/who', { token })).status).toBe(200);
});
afterAll(() => plane.close());

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const head = (header: object): string => `${encode(header)}.${encode(claims)}`;
function signedBy(key: KeyObject, header: object, algorithm: string | null = null): string {
  const part = head(header);
  return `${part}.${sign(algorithm, Buffer.from(part), key).toString('base64url')}`;
}
function hmac(secret: string | Buffer, alg = 'HS256'): string {
  const part = head({ alg, typ: 'JWT' });
  return `${part}.${createHmac('sha256', secret).update(part).digest('base64url')}`;
}

test.each<[string, () => string]>([
  ['none', () => `${head({ alg: 'none' })}.`],
  ['None, with a signature', () => `${head({ alg: 'None' })}.AAAA`],
  ['HS256 with the public key as its secret', () => hmac(pem)],
  ['HS256 with the bytes of the public key', () => hmac(Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64'))],
  ['HS256 labelled as EdDSA', () => hmac(pem, 'EdDSA')],
  ['another Ed25519 key', () => signedBy(generateKeyPairSync('ed25519').privateKey, { alg: 'EdDSA', typ: 'JWT' })],
  ['the curve Ed448', () => signedBy(generateKeyPairSync('ed448').privateKey, { alg: 'EdDSA', typ: 'JWT' })],
  ['the curve P-256', () => signedBy(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, { alg: 'ES256' }, 'sha256')],
  ['RSA', () => signedBy(generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey, { alg: 'RS256' }, 'sha256')],
  [
    'a key embedded in the header',
    () => {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      return signedBy(privateKey, { alg: 'EdDSA', typ: 'JWT', jwk: publicKey.export({ format: 'jwk' }) });
    },
  ],
])('rejects a license signed with %s, in the control plane and in the service', async (_, make) => {
  const token = make();
  expect((await plane.call('GET', '/test/who', { token })).status).toBe(401);
  expect(await plane.call('POST', '/api/license/renew', { token, body: {} })).toMatchObject({ status: 401, body: { error: { code: 'token_invalid' } } });
  expect(await readLicenseToken(token, pem)).toMatch(/^(unreadable|unknown_key)$/);
});

/** RFC 8037, appendix A: a key and its signature. */
const rfcKey = { kty: 'OKP', crv: 'Ed25519', d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
const rfcToken =
  'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg';

test('signs as in RFC 8037 and rejects critical headers, unencoded payloads and other algorithms', async () => {
  const key = createPrivateKey({ key: rfcKey, format: 'jwk' });
  const [header = '', body = '', signature] = rfcToken.split('.');
  expect(sign(null, Buffer.from(`${header}.${body}`), key).toString('base64url')).toBe(signature);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const own = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  expect(await readLicenseToken(signedBy(privateKey, { alg: 'EdDSA' }), own)).toMatchObject({ sub: 'ann@example.org' });
  const odd = [
    { crit: ['exp'], exp: 9e9 },
    { crit: ['b64'], b64: false },
    { b64: false, crit: [] },
    { crit: ['unknown'], unknown: true },
    { alg: 'Ed448' },
    { alg: ['EdDSA'] },
  ];
  for (const more of odd) expect(await readLicenseToken(signedBy(privateKey, { alg: 'EdDSA', ...more }), own)).toBe('unreadable');
});
