// Locks the home folder, so that only one server or one repair uses it at a time.
import { join } from 'node:path';
import type { Disposable, Registry } from 'agent-harness/kernel';
import { hasCode } from '#lib/errors';
import type { manifest } from './manifest.ts';

/** Acquires the lock. Rejects with `CHATS_ERR_HOME_IN_USE` if another process or this process already holds it. */
export async function lockHome(registry: Registry<typeof manifest>): Promise<Disposable> {
  const { product, storage } = registry.services;
  try {
    return await storage.lock(join(product.home, 'server.lock'));
  } catch (cause) {
    if (!hasCode(cause, 'STORAGE_ERR_LOCKED')) throw cause;
    throw registry.error('HOME_IN_USE', { home: product.home }, cause);
  }
}
