// Registers the forecast: the likely cost of a turn, based on this user's past turns; its progress during the turn; and the actual cost afterwards.
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
      title: 'Forecast turns from (USD)',
      description: 'If a turn will likely cost at least this amount, the chat shows the likely cost with a range, based on your past turns.',
    }),
    fromTokens: Type.Integer({
      default: 300_000,
      minimum: 0,
      maximum: 1_000_000_000,
      env: 'AGENT_FORECAST_FROM_TOKENS',
      tab: 'models_api',
      apply: 'live',
      title: 'Forecast turns from (tokens)',
      description: 'Threshold in input and output tokens, used if the provider does not report costs.',
    }),
    askUsd: Type.Number({
      ...usd,
      default: 0,
      env: 'AGENT_FORECAST_ASK_USD',
      mustFit: true,
      examples: ['2.50'],
      title: 'Ask before turns from (USD)',
      description: 'If your turn will likely cost at least this amount, it starts only after you confirm. 0: never ask.',
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
        onFault: (cause) => registry.log.warn(`The turn history for forecasts could not be stored: ${messageOf(cause)}`),
      }),
    ),
  );
  const forecaster = async (): Promise<OpenedForecasts['forecaster']> => (await open()).forecaster;
  registry.defer(async () => (await open.made)?.past.close(), 'turn history for forecasts');

  registry.add('wire_event', {
    name: 'turn_forecast',
    description: 'Forecast of the cost of a turn: sent with its first request, again when a plan is presented, and when the turn exceeds the forecast.',
    permission: 'chats.read',
    schema: eventSchema,
    shows: describeForecast,
  });
  registry.add('route', forecastRoute(services.chats, forecaster));
  registry.add('view', {
    name: 'costs',
    title: /* t */ 'Turns',
    tabOf: 'usage',
    description: 'Cost of the last turn by purpose, plugin and message, its forecast, and the progress of the running turn.',
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
  // Runs after slash commands, which cost nothing because they call no model.
  emitter.tap('turn.intercept', async (turn) => (turn.isRoot ? (await forecaster()).begin(turn) : undefined), { order: 'post' });
  // Runs before the approval of the plan, and only if no earlier tap rejected the call.
  emitter.tap(
    'tool.before',
    async ({ tool, args, turn }) => {
      if (turn.isRoot && tool.traits.includes('presents_plan')) await (await forecaster()).plan(turn, textsOf(args));
    },
    { order: 'post' },
  );
  // Ignores turns without a forecast.
  const watch = (take: (one: OpenedForecasts['forecaster']) => Promise<void>): void =>
    void open.made
      ?.then(({ forecaster: one }) => take(one))
      .catch((fault: unknown) => registry.log.warn(`The cost forecast of a turn failed: ${messageOf(fault)}`));
  // Waits for one turn of the event loop, so that the request is sent first.
  emitter.tap('turn.observe', (observers, { turnId }) => [
    ...observers,
    ({ on }) => {
      if (on === 'request') void yieldToEventLoop().then(() => watch((one) => one.reportForecast(turnId)));
    },
  ]);
  emitter.on('usage', (row) => watch((one) => one.used(row)));
  // Waits for one turn of the event loop, so that clients receive the end of the turn first.
  emitter.on('turn_end', (end) => void yieldToEventLoop().then(() => watch((one) => one.end(end))));
  emitter.tap('chat.erase', async ({ chatId }) => (await forecaster()).forget(chatId));
  emitter.tap('server.idle', async () => void (await import('./open-forecasts.ts')));
}
