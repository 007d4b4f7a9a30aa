// Registers the forecast: the likely cost of a turn, by this user's past turns; progress during the turn; the actual cost and its reasons after it.
import { lazy } from '#lib/async';
import { yieldToEventLoop } from '#lib/event-loop';
import { messageOf } from '#lib/errors';
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/schedule';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/tools';
import type {} from 'agent-harness/plugins/views';
import type {} from './contract.ts';
import { describeForecast } from './describe-forecast.ts';
import { forecastRoute } from './forecast-route.ts';
import { eventSchema } from './forecast-schema.ts';
import type { OpenedForecasts } from './open-forecasts.ts';

const usd = { minimum: 0, maximum: 1_000_000, tab: 'models_api', apply: 'live' } as const;

export const manifest = {
  name: 'forecast',
  requires: ['storage', 'journals', 'chats', 'eventLog', 'models', 'approvals'],
  optional: ['jobs'],
  events: ['turn_forecast'],
  config: Type.Object({
    fromUsd: Type.Number({
      ...usd,
      default: 0.25,
      env: 'AGENT_FORECAST_FROM_USD',
      title: 'Say what a turn will likely cost from (USD)',
      description: 'Before a turn that will likely cost at least this, the chat says what it will likely cost, with a range from your own turns.',
    }),
    fromTokens: Type.Integer({
      default: 300_000,
      minimum: 0,
      maximum: 1_000_000_000,
      env: 'AGENT_FORECAST_FROM_TOKENS',
      tab: 'models_api',
      apply: 'live',
      title: 'Say what a turn will likely take from (tokens)',
      description: 'The same where the provider does not say what calls cost: in tokens, in and out.',
    }),
    askUsd: Type.Number({
      ...usd,
      default: 0,
      env: 'AGENT_FORECAST_ASK_USD',
      mustFit: true,
      examples: ['2.50'],
      title: 'Ask before a turn that will likely cost (USD)',
      description: 'A turn of yours that will likely cost at least this begins only when you say so. 0: it never asks.',
    }),
  }),
} as const satisfies PluginManifest;

const textsOf = (args: Readonly<Record<string, unknown>>): string =>
  Object.values(args)
    .filter((value) => typeof value === 'string')
    .join('\n');

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, config } = registry;
  const open = lazy(() =>
    import('./open-forecasts.ts').then(({ openForecasts }) =>
      openForecasts({
        ...{ services, config, emitter, folder: registry.plugin.dataDir },
        onFault: (cause) => registry.log.warn(`Turns cannot be kept for forecasts: ${messageOf(cause)}`),
      }),
    ),
  );
  const forecaster = async (): Promise<OpenedForecasts['forecaster']> => (await open()).forecaster;
  registry.defer(async () => (await open.made)?.past.close(), 'turns for forecasts');

  registry.add('wire_event', {
    name: 'turn_forecast',
    description: 'What a turn will likely take, with its first request; again with a plan that is put before the person; and where it came to more than that.',
    permission: 'chats.read',
    schema: eventSchema,
    shows: describeForecast,
  });
  registry.add('route', forecastRoute(services.chats, forecaster));
  registry.add('view', {
    name: 'costs',
    title: /* t */ 'Turns',
    tabOf: 'usage',
    description: 'What the last turn cost and why, what was likely, and how the one that runs is doing.',
    icon: 'chart',
    permission: 'usage.read',
    changesOn: ['usage', 'turn_end', 'turn_forecast'],
    read: async (context) => (await open()).view(context),
  });
  registry.add('slash_command', {
    name: 'forecast',
    permission: 'usage.read',
    summary: 'Estimates the cost of a message from your own turns, without sending it.',
    usage: '<message>',
    places: [{ label: 'message', isWhole: true }],
    isImmediate: true,
    run: async (context) => (await open()).command(context),
  });
  // After slash commands, which cost nothing without a model.
  emitter.tap('turn.intercept', async (turn) => (turn.isRoot ? (await forecaster()).begin(turn) : undefined), { order: 'post' });
  // Above the approval of the plan, and only if no earlier plan was rejected.
  emitter.tap(
    'tool.before',
    async ({ tool, args, turn }) => {
      if (turn.isRoot && tool.traits.includes('presents_plan')) await (await forecaster()).plan(turn, textsOf(args));
    },
    { order: 'post' },
  );
  // Ignores turns that are not watched.
  const watch = (take: (one: OpenedForecasts['forecaster']) => Promise<void>): void =>
    void open.made?.then(({ forecaster: one }) => take(one)).catch((fault: unknown) => registry.log.warn(`A turn was not watched: ${messageOf(fault)}`));
  // The request is sent first.
  emitter.tap('turn.observe', (observers, { turnId }) => [
    ...observers,
    ({ on }) => {
      if (on === 'request') void yieldToEventLoop().then(() => watch((one) => one.look(turnId)));
    },
  ]);
  emitter.on('usage', (row) => watch((one) => one.used(row)));
  // Clients get the end of the turn first.
  emitter.on('turn_end', (end) => void yieldToEventLoop().then(() => watch((one) => one.end(end))));
  emitter.tap('chat.erase', async ({ chatId }) => (await forecaster()).forget(chatId));
  emitter.tap('server.idle', async () => void (await import('./open-forecasts.ts')));
}
