// Applies changes to the `.env` file in the home folder: when the file changes, before each turn, and after turns.
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ConfigField, Emitter, Registry } from 'agent-harness/kernel';
import { createSerialQueue } from '#lib/async';
import type { OwnedSettings } from './settings-service.ts';
import type { manifest } from './manifest.ts';

type Texts = Readonly<Record<string, string>>;

interface DotenvWatchParts {
  read(): Promise<Texts>;
  fields(): readonly ConfigField[];
  /** Returns whether a turn is running, during which plugins must not change. */
  isBusy(): Promise<boolean>;
  apply(dotenv: Texts): Promise<void>;
}

interface DotenvWatch {
  /** Resolves when the content of the file has been applied, as far as that is possible at the time. */
  refresh(): Promise<void>;
  /** Works like {@link refresh} if changes are waiting for the end of a turn. */
  catchUp(): Promise<void>;
}

export function watchDotenv(registry: Registry<typeof manifest>, emitter: Emitter, settings: OwnedSettings): void {
  const { kernel, product, storage } = registry.services;
  const read = product.readDotenv?.bind(product);
  if (!read) return;
  const watch = createDotenvWatch({
    read,
    fields: () => kernel.fields(),
    isBusy: async () => (await emitter.call('settings.guard', [{}])) !== undefined,
    apply: (dotenv) => settings.replaceDotenv(dotenv),
  });
  const refresh = (): void => void watch.refresh().catch((fault: unknown) => registry.log.warn(`.env could not be reloaded: ${String(fault)}`));
  registry.defer(storage.watchFile(join(product.home, '.env'), refresh), 'watch of .env');
  // Some file systems do not report changes.
  emitter.tap('turn.before', () => watch.refresh());
  emitter.tap('server.idle', () => watch.refresh());
  emitter.tap('turn.after', () => watch.catchUp());
}

/** Creates the watcher. Reads the file immediately, because it may have changed since the kernel was created with its content. */
function createDotenvWatch(parts: DotenvWatchParts): DotenvWatch {
  let applied: Promise<Texts> = parts.read();
  let waits = false;
  const queue = createSerialQueue();

  async function refreshNow(): Promise<void> {
    const known = await applied;
    const wanted = await parts.read();
    waits = false;
    if (isDeepStrictEqual(known, wanted)) return;
    const next = (await parts.isBusy()) ? withLive(known, wanted, parts.fields()) : wanted;
    waits = !isDeepStrictEqual(next, wanted);
    if (isDeepStrictEqual(next, known)) return;
    applied = Promise.resolve(next);
    await parts.apply(next);
  }

  const refresh = (): Promise<void> => queue.run(refreshNow);
  return { refresh, catchUp: async () => (waits ? refresh() : undefined) };
}

function withLive(known: Texts, wanted: Texts, fields: readonly ConfigField[]): Texts {
  const live = new Set(fields.filter(({ schema }) => schema['apply'] === 'live').map(({ key }) => key));
  const kept = Object.entries(known).filter(([key]) => !live.has(key));
  return Object.fromEntries([...kept, ...Object.entries(wanted).filter(([key]) => live.has(key))]);
}
