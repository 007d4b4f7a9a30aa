// Opens the keys of the control plane. They are created at the first start and stored encrypted in the database.
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { calculateJwkThumbprint, CompactSign, compactVerify, exportJWK } from 'jose';
import type { KernelError } from 'agent-harness/kernel';
import type { ReadyDatabase } from 'agent-harness/builtins/control-plane/plane-database';
import type { Storage } from 'agent-harness/plugins/storage';
import { recordIn } from '#lib/values';
import type { PlaneKeys, SignedKind } from './contract.ts';
import { createSealer, type Sealer } from './sealer.ts';

export interface KeyParts {
  readonly database: ReadyDatabase;
  readonly storage: Storage;
  readonly home: string;
  /** Secret from the environment; empty if not set. */
  readonly secret: string;
  readonly makeError: (reason: 'SECRET_MISSING' | 'SECRET_SHORT' | 'SEALED', details?: Readonly<Record<string, unknown>>) => KernelError;
}

interface KeyRow {
  readonly kid: string;
  readonly public_key: string;
  readonly sealed_private_key: string;
}

/** Minimum length of the secret in characters. */
const minSecretLength = 32;
const purpose = 'signing-key';
/** Advisory lock that serialises the first start of two nodes; nothing else uses it. */
const lock = 7_310_443;

/** Opens the keys. Rejects with `SECRET_MISSING` if the database was set up with another secret, and with `SECRET_SHORT`. */
export async function openKeys(parts: KeyParts): Promise<PlaneKeys> {
  const { makeError } = parts;
  const secret = await findSecret(parts);
  const sealer = createSealer(secret, () => makeError('SEALED'));
  const row = await currentKey(parts.database, sealer);
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(sealer.unseal(row.sealed_private_key, purpose));
  } catch {
    throw makeError('SECRET_MISSING', { path: secretPath(parts.home) });
  }
  const publicKey = createPublicKey(row.public_key);

  return {
    publicKey: () => Promise.resolve(row.public_key),
    sign: (kind, claims) =>
      new CompactSign(Buffer.from(JSON.stringify(claims))).setProtectedHeader({ alg: 'EdDSA', typ: typeOf(kind), kid: row.kid }).sign(privateKey),
    async verify(kind, token) {
      try {
        const { payload, protectedHeader } = await compactVerify(token, publicKey, { algorithms: ['EdDSA'] });
        return protectedHeader.typ === typeOf(kind) ? recordIn(Buffer.from(payload).toString('utf8')) : undefined;
      } catch {
        return undefined; // this control plane did not sign the token for that purpose
      }
    },
    seal: (text, of) => Promise.resolve(sealer.seal(text, of)),
    unseal: async (sealed, of) => sealer.unseal(sealed, of),
  };
}

function typeOf(kind: SignedKind): string {
  return kind === 'license' ? 'JWT' : `${kind}+jws`;
}

function secretPath(home: string): string {
  return join(home, 'secret');
}

async function findSecret({ secret, storage, home, makeError }: KeyParts): Promise<string> {
  if (secret !== '') {
    if (secret.length < minSecretLength) throw makeError('SECRET_SHORT');
    return secret;
  }
  const path = secretPath(home);
  const saved = (await storage.readText(path))?.trim();
  if (saved !== undefined && saved.length >= minSecretLength) return saved;
  await storage.writeFile(path, randomBytes(32).toString('hex'));
  return ((await storage.readText(path)) ?? '').trim();
}

async function currentKey(database: ReadyDatabase, sealer: Sealer): Promise<KeyRow> {
  return database.transaction(async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1)', [lock]);
    const [found] = await transaction.query<KeyRow>(
      'select kid, public_key, sealed_private_key from signing_key where retired_at is null order by made_at desc limit 1',
      [],
    );
    if (found) return found;
    const pair = generateKeyPairSync('ed25519');
    const row: KeyRow = {
      kid: await calculateJwkThumbprint(await exportJWK(pair.publicKey)),
      public_key: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      sealed_private_key: sealer.seal(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), purpose),
    };
    await transaction.query('insert into signing_key (kid, public_key, sealed_private_key) values ($1, $2, $3)', [
      row.kid,
      row.public_key,
      row.sealed_private_key,
    ]);
    return row;
  });
}
