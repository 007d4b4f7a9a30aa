// Stores push subscriptions and the server's key for push services in one file of the home folder.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Principal } from 'agent-harness/plugins/http';
import type { Product, Storage } from 'agent-harness/plugins/storage';

/** A P-256 key as JWK (RFC 7517). */
export interface PushKey {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly d: string;
}

export interface Subscription {
  readonly id: string;
  readonly endpoint: string;
  /** Keys of the browser in base64url (RFC 8291): its public key (65 bytes) and a secret (16 bytes). */
  readonly p256dh: string;
  readonly auth: string;
  /** Owner of the subscription; the subscription ends with the owner's access. */
  readonly by: Pick<Principal, 'kind' | 'id'>;
  readonly name: string;
  /** Creation time, ISO 8601 UTC. */
  readonly createdAt: string;
}

interface PushFile {
  readonly key: PushKey;
  readonly subscriptions: readonly Subscription[];
}

export interface PushStore {
  read(): Promise<PushFile | undefined>;
  /** Returns the server's key; creates it on the first call. */
  key(): Promise<PushKey>;
  /** Adds a subscription. Replaces one with the same endpoint; beyond the maximum, removes the oldest one. */
  add(wanted: Omit<Subscription, 'id' | 'createdAt'>): Promise<Subscription>;
  /** Removes the matching subscriptions; resolves with their number. */
  remove(isGone: (one: Subscription) => boolean): Promise<number>;
}

const mostSubscriptions = 20;

export function createPushStore({ storage, product }: { readonly storage: Storage; readonly product: Product }): PushStore {
  const path = join(product.home, 'push.json');
  let known: Promise<PushFile | undefined> | undefined;

  function read(): Promise<PushFile | undefined> {
    known ??= storage.readJson(path, isPushFile).catch((fault: unknown) => {
      known = undefined;
      throw fault;
    });
    return known;
  }

  async function change(to: (subscriptions: readonly Subscription[]) => readonly Subscription[]): Promise<PushFile> {
    const file = await storage.updateJson<PushFile>(path, (current) => ({ key: current?.key ?? makeKey(), subscriptions: to(current?.subscriptions ?? []) }), {
      shape: isPushFile,
    });
    known = Promise.resolve(file);
    return file;
  }

  return {
    read,
    key: async () => ((await read()) ?? (await change((same) => same))).key,
    async add(wanted) {
      const one = { ...wanted, id: randomBytes(8).toString('hex'), createdAt: new Date().toISOString() };
      await change((before) => [...before.filter(({ endpoint }) => endpoint !== one.endpoint), one].slice(-mostSubscriptions));
      return one;
    },
    async remove(isGone) {
      const gone = ((await read())?.subscriptions ?? []).filter(isGone);
      if (gone.length > 0) await change((before) => before.filter((one) => !gone.some(({ id }) => id === one.id)));
      return gone.length;
    },
  };
}

/** Returns the public key in the format of browsers and push services: an uncompressed point in base64url. */
export function publicKeyOf({ x, y }: Pick<PushKey, 'x' | 'y'>): string {
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString('base64url');
}

function makeKey(): PushKey {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }) as unknown as PushKey;
}

function isPushFile(value: unknown): value is PushFile {
  const { key, subscriptions } = (value ?? {}) as Partial<PushFile>;
  return typeof key?.d === 'string' && typeof key.x === 'string' && typeof key.y === 'string' && Array.isArray(subscriptions);
}
