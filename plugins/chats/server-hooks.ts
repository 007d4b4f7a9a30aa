// Prepares chats when the server starts, and closes them when it stops.
import { join } from 'node:path';
import type { Disposable, Emitter, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/schedule';
import { lockHome } from './home-lock.ts';
import type { Parts } from './parts.ts';
import { beforeErase } from './store/before-erase.ts';
import { purgeEveryMs, purgeTrash } from './store/trash.ts';
import type { manifest } from './manifest.ts';

export function tapServer(registry: Registry<typeof manifest>, emitter: Emitter, parts: Parts): void {
  let homeLock: Disposable | undefined;
  let sweep: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;

  async function removeLeftovers(signal: AbortSignal): Promise<void> {
    const { product, storage } = registry.services;
    try {
      await storage.removeLeftovers(product.home, signal);
    } catch (fault) {
      registry.log.warn(`could not search for temporary files of killed processes: ${String(fault)}`);
    }
  }

  async function releaseHome(): Promise<void> {
    const held = homeLock;
    homeLock = undefined;
    sweep?.stop.abort();
    await sweep?.done;
    await held?.dispose();
  }

  emitter.tap(
    'app.start',
    async () => {
      homeLock ??= await lockHome(registry);
      await parts().chats.peekActive();
      const stop = new AbortController();
      sweep = { stop, done: removeLeftovers(stop.signal) };
    },
    { order: 'pre' },
  );
  emitter.tap('server.idle', async () => {
    await parts().chats.warmUp();
    // Erases only chats of an earlier process, because those of this process may be in use.
    await parts().chats.eraseTemporary({ madeBefore: new Date(performance.timeOrigin).toISOString() });
  });
  emitter.tap('app.stop', releaseHome, { order: 'post' });
  registry.defer(releaseHome, 'home lock');
  registry.add('job', {
    name: 'empty-trash',
    when: { everyMs: purgeEveryMs },
    async run() {
      // Erases unused chats; the next start erases the others.
      await parts().chats.eraseTemporary({ unusedSince: new Date(Date.now() - purgeEveryMs).toISOString() });
      await purgeTrash(join(registry.services.product.home, 'chats'), registry.services.storage, beforeErase(emitter, registry.services.journals));
    },
  });
}
