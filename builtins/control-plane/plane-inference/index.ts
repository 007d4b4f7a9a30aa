// Registers managed inference: the control plane forwards members' model calls to its provider and charges the wallet of their organisation.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import type {} from 'agent-harness/builtins/control-plane/plane-audit-log';
import type {} from 'agent-harness/builtins/control-plane/plane-database';
import type {} from 'agent-harness/builtins/control-plane/plane-licenses';
import type {} from 'agent-harness/builtins/control-plane/plane-people';
import type {} from 'agent-harness/builtins/control-plane/plane-serve';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/schedule';
import type {} from 'agent-harness/plugins/storage';
import { createCalls, credits } from './calls.ts';
import { inferenceCommands } from './commands.ts';
import { createCreditQueue } from './credit-queue.ts';
import { createDrains } from './drains.ts';
import { createLedger } from './ledger.ts';
import type { manifest } from './manifest.ts';
import { createPrices } from './prices.ts';
import { createProgress } from './progress.ts';
import { createReceipts } from './receipts.ts';
import { inferenceRoutes } from './routes.ts';
import { createSessions } from './sessions.ts';
import { tables } from './tables.ts';
import { createUpstream } from './upstream.ts';
import { inferenceChecks, inferenceMetrics } from './inference-health.ts';
import { createWallets, setWallet } from './wallets.ts';

export { manifest } from './manifest.ts';

/** Interval between settlements of expired credit reservations, in milliseconds. */
const sweepMs = 5_000;
/** Maximum number of expired credit reservations that are settled at once. */
const sweptAtOnce = 1_000;
/** Interval between checks of calls that wait for credit, in milliseconds. */
const creditPollMs = 250;
/** Days for which ended reservations are stored. The ledger entry records their outcome; a reservation without an entry was released. */
const holdDays = 30;
/** Maximum number of ended reservations that are deleted at once. */
const forgottenAtOnce = 5_000;
/** Maximum number of aborted responses that are read to their end at the same time. */
const maxDrains = 256;
/** Maximum time that the shutdown waits for pending writes, in milliseconds. */
const writtenMs = 5_000;

export function register(registry: Registry<typeof manifest & PluginManifest>): void {
  const { services, config, log } = registry;
  const { database, people, planeLicenses, planeSite, product, http, storage } = services;
  const makeError = registry.error.bind(registry);
  for (const table of tables) registry.add('migration', table);

  const ledger = createLedger(database, () => config.holdMs);
  const wallets = createWallets(database);
  const prices = createPrices(database);
  const queue = createCreditQueue({ waitMs: () => config.waitMs, pollMs: creditPollMs });
  const progress = createProgress(ledger.touch, Math.min(sweepMs, config.holdMs / 3), (fault) =>
    log.warn(`the current cost of running calls could not be stored: ${messageOf(fault)}`),
  );
  const calls = createCalls({
    ledger,
    prices,
    queue,
    progress,
    makeError,
    createId: () => storage.createId('hold'),
    warned: (orgId, percent) => log.warn(`${percent} % of the wallet of ${orgId} is used`),
    uncovered: (orgId, micro) => log.warn(`a call of ${orgId} cost ${credits(micro)} credits more than its wallet could pay`),
    lost: (fault) => log.error(`a call could not be settled; its hold is settled when it expires: ${messageOf(fault)}`),
  });
  const upstream = createUpstream(config, `${product.name}/${product.version}`);
  const drains = createDrains(config, maxDrains);
  const sessions = createSessions({ database, people, holder: (credential) => planeLicenses.holder(credential), makeError, settings: config });

  registry.provide('wallets', () => wallets);
  registry.add('token_source', { name: 'inference-sessions', identify: sessions.identify, isSetUp: () => false });
  registry.add('plan_part', {
    name: 'wallet',
    async apply({ orgId, walletCapMicro }, transaction) {
      if (walletCapMicro !== undefined) await setWallet(orgId, { capMicro: walletCapMicro }, transaction);
    },
    async describe(orgIds) {
      const found = await Promise.all(orgIds.map(async (orgId) => [orgId, await wallets.state(orgId)] as const));
      return new Map(found.map(([orgId, { capMicro, usedMicro }]) => [orgId, { walletCapMicro: capMicro, walletUsedMicro: usedMicro }]));
    },
  });
  const proxy = { calls, upstream, drains, makeError, settings: config };
  for (const route of inferenceRoutes({
    people,
    planeSite,
    http,
    sessions,
    wallets,
    prices,
    receipts: createReceipts(database),
    proxy,
    audit: () => services.audit,
  }))
    registry.add('route', route);
  for (const command of inferenceCommands({ database, wallets, prices, makeError })) registry.add('cli_command', command);
  const watched = { database, calls, queue, drains, prices, settings: config };
  for (const metric of inferenceMetrics(watched)) registry.add('plane_metric', metric);
  for (const check of inferenceChecks(watched)) registry.add('plane_check', check);
  registry.add('job', {
    name: 'inference-holds',
    when: { everyMs: sweepMs },
    async run() {
      const ended = await ledger.sweep(sweptAtOnce);
      if (ended > 0) log.warn(`${ended} expired holds of calls were settled or released`);
    },
  });
  registry.add('job', {
    name: 'inference-ended-holds',
    when: { everyMs: 3_600_000 },
    async run({ signal }) {
      while (!signal.aborted && (await ledger.forget(holdDays, forgottenAtOnce)) === forgottenAtOnce);
    },
  });
  registry.add('job', { name: 'inference-sessions', when: { everyMs: 3_600_000 }, run: () => sessions.sweep() });

  registry.defer(async () => {
    drains.dispose();
    progress.dispose();
    await calls.written(writtenMs);
    upstream.dispose();
  }, 'calls');
}
