// Registers access to models: routing, retries, usage. Other plugins contribute the wire formats.
import { join } from 'node:path';
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type { UsageFilter, UsageRow } from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/settings';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/views';
import { createAudioModels } from './audio-models.ts';
import { errorTable } from './error-table.ts';
import { connectionTestRoute } from './connection-test.ts';
import { createModelService } from './model-service.ts';
import { modelRoutes, type Invalid } from './model-routes.ts';
import { retryCommand, retryRoutes, type RetryParts } from './retry-routes.ts';
import { setVariables } from './route.ts';
import { settingsSchema } from './settings-schema.ts';
import { budgetWarningEvent } from './spending/warn-of-cap.ts';
import { createTransportSlot } from './transport-slot.ts';
import { createUsageLog } from './usage-log.ts';
import { usageRoute } from './usage-route.ts';
import { usageView } from './usage-view.ts';
import { chatTitles } from './chat-titles.ts';
import { createLearnedLimits } from './learned-limits.ts';
import { providerChangedEvent, providerRetryEvent, usageEvent } from './wire-events.ts';

export const manifest = {
  name: 'models',
  requires: ['kernel', 'product', 'storage', 'journals'],
  optional: ['http', 'chats'],
  provides: ['models'],
  events: ['usage', 'provider_retry', 'provider_changed', 'budget_warning'],
  config: settingsSchema,
  errors: errorTable,
} as const satisfies PluginManifest;

const configFields = Type.Object({ demoModel: Type.Boolean({ description: '`true` if no key is configured and the built-in demo is used.' }) });

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { kernel, product, storage, journals } = registry.services;
  const transport = createTransportSlot(`${product.name}/${product.version}`, (message) => registry.log.warn(message));
  const usageLog = createUsageLog(journals, join(product.home, 'usage.jsonl'), (cause) => registry.log.error(`usage.jsonl: ${String(cause)}`));
  const warn = (message: string): void => registry.log.warn(message);
  const limits = createLearnedLimits({ path: join(product.home, 'model_limits.json'), storage, warn });
  const audioModels = createAudioModels({ path: join(product.home, 'model_audio.json'), storage, warn });
  registry.defer(async () => void (await Promise.all([limits.flushed(), audioModels.flushed()])), 'model limits');
  const { models, adapterPoint, capPoint, spending, test, warmUp, warmUpCall } = createModelService({
    settings: registry.config,
    isSet: (variable) => setVariables(kernel.fields())(variable),
    emitter,
    error: (reason, details, cause) => registry.error(reason, details, cause),
    signal: registry.signal,
    usageLog,
    limits,
    audioModels,
    loadTransport: () => transport.load(),
  });
  registry.defer(() => transport.dispose(), 'transport');
  registry.defer(() => usageLog.close(), 'usage');

  registry.provide('models', () => models);
  registry.point('model_adapter', adapterPoint);
  registry.point('spending_cap', capPoint);
  // Runs while the prompt is built.
  emitter.on('turn_start', () => void warmUp());
  emitter.tap('server.idle', async () => {
    await warmUp();
    // Startup must not contact a provider. This URL is local, and no request to it succeeds.
    const address = registry.services.http?.address();
    if (address && models.route().wire !== 'demo') await warmUpCall(`${address.url}/no-model`);
  });
  registry.add('wire_event', usageEvent);
  registry.add('wire_event', providerRetryEvent);
  registry.add('wire_event', providerChangedEvent);
  registry.add('wire_event', budgetWarningEvent);
  const invalid: Invalid = (field, why) => registry.error('TYPED_INVALID', { field, why });
  for (const route of [...modelRoutes(models, invalid), connectionTestRoute(test, invalid)]) registry.add('route', route);
  const retryParts: RetryParts = { models, chats: () => registry.services.chats, notWaiting: () => registry.error('NOT_WAITING') };
  for (const route of retryRoutes(retryParts)) registry.add('route', route);
  registry.add('slash_command', retryCommand(retryParts));
  const readUsage = (filter: UsageFilter): AsyncIterable<UsageRow> => usageLog.rows(filter);
  registry.add('route', usageRoute(readUsage, spending));
  registry.add('view', usageView({ read: readUsage, spending, titles: (asker) => chatTitles(registry.services, asker) }));

  // If a tap fails, the request must not be sent to another route.
  emitter.hook('model.route', 'waterfall', { onError: 'throw' });
  emitter.hook('model.fault', 'waterfall', { onError: 'skip' });
  emitter.hook('model.before', 'bail', { onError: 'throw' });
  emitter.tap('settings.provider', async (summary) => {
    const { model, baseURL, apiKey, wire } = await models.routeNow();
    return { ...summary, model, baseURL, apiKeyConfigured: apiKey !== undefined, route: wire };
  });
  registry.add('reply_section', {
    route: 'GET /api/config',
    name: 'demoModel',
    fields: configFields,
    read: async () => ({ demoModel: (await models.routeNow()).wire === 'demo' }),
  });
}

declare module 'agent-harness/plugins/http' {
  interface ReplyFields {
    'GET /api/config demoModel': typeof configFields;
  }
}
