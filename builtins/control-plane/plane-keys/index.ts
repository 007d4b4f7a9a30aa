// Registers the keys: signs licenses and documents, and encrypts data that only this control plane may read.
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
        'At least 32 characters that every node has: it seals the signing key and the secrets of providers in the database. Left empty, one node keeps a file in its home folder.',
      apply: 'restart',
    }),
  }),
  errors: {
    SECRET_MISSING: {
      message: 'The database was set up with another secret. Start this node with the HUB_SECRET of the others (on the first one it may stand in {path}).',
    },
    SECRET_SHORT: { message: 'HUB_SECRET has fewer than 32 characters, so it could be guessed. Set a longer one.' },
    SEALED: { message: 'A sealed value cannot be opened: it was sealed with another HUB_SECRET, or changed.' },
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

  // Loads the keys first, as signing often happens inside a transaction. Callers that need the keys report a wrong secret.
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
