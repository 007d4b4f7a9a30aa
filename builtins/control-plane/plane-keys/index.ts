// Registers the keys of the control plane: signs licenses and documents, and encrypts data that only this control plane may read.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type { ReadyDatabase } from 'agent-harness/builtins/control-plane/plane-database';
import type {} from 'agent-harness/plugins/storage';
import type { PlaneKeys } from './contract.ts';

export const manifest = {
  name: 'plane-keys',
  requires: ['database', 'product', 'storage'],
  provides: ['planeKeys'],
  config: Type.Object({
    secret: Type.String({
      default: '',
      env: 'HUB_SECRET',
      secret: true,
      title: 'Secret of the control plane',
      description:
        'At least 32 characters, the same on every node. It encrypts the signing key and the secrets of providers in the database. If empty, a single node generates it and stores it in its home folder.',
      apply: 'restart',
    }),
  }),
  errors: {
    SECRET_MISSING: {
      message: 'The database was set up with another secret. Start this node with the HUB_SECRET of the other nodes. On the first node, it may be in {path}.',
    },
    SECRET_SHORT: { message: 'HUB_SECRET has fewer than 32 characters, so it could be guessed. Set a longer one.' },
    SEALED: { message: 'An encrypted value cannot be decrypted: it was encrypted with another HUB_SECRET, or changed.' },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { database, product, storage } = registry.services;
  registry.add('migration', {
    number: 1,
    name: 'signing-key',
    sql: `create table signing_key (
      kid text primary key, public_key text not null, sealed_private_key text not null, made_at timestamptz not null default now(), retired_at timestamptz
    )`,
  });
  let loading: Promise<PlaneKeys> | undefined;
  const load = (): Promise<PlaneKeys> =>
    (loading ??= open().catch((fault: unknown) => {
      loading = undefined;
      throw fault;
    }));

  async function open(from: ReadyDatabase = database): Promise<PlaneKeys> {
    const { openKeys } = await import('./open-keys.ts');
    return openKeys({ database: from, storage, home: product.home, secret: registry.config.secret, makeError: registry.error.bind(registry) });
  }

  // Loads the keys first, because signing often happens inside a transaction. A wrong secret is reported to callers that need the keys.
  emitter.tap('database.ready', async (opened) => {
    loading = open(opened);
    await loading.catch(() => (loading = undefined));
  });
  registry.provide('planeKeys', () => ({
    publicKey: async () => (await load()).publicKey(),
    sign: async (kind, claims) => (await load()).sign(kind, claims),
    verify: async (kind, token) => (await load()).verify(kind, token),
    seal: async (text, purpose) => (await load()).seal(text, purpose),
    unseal: async (sealed, purpose) => (await load()).unseal(sealed, purpose),
  }));
}
