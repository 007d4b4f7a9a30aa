// Implements the service `models`: resolves the route and its adapter, retries transient faults, and records the cost.
import { lazy } from '#lib/async';
import type { Emitter, KernelError, PointHandler } from 'agent-harness/kernel';
import type {
  CompletionLimit,
  ModelAdapterEntry,
  ModelCall,
  ModelFault,
  ModelRequest,
  ModelRoute,
  ModelShutdown,
  ModelTransport,
  ModelUsage,
  Models,
  ProviderRequest,
  SpendingCap,
  TypedKey,
  UsageRow,
} from './contract.ts';

import { createAdapters } from './adapters.ts';
import type { AskModel } from './ask-model.ts';
import { runAttempt } from './attempt.ts';
import type { AudioModels } from './audio-models.ts';
import { admit } from './admit.ts';
import { createCatalog } from './catalog.ts';
import { createDefaultModel } from './default-model.ts';
import { createFallbacks, isUnknownModel } from './fallbacks.ts';
import { hostOf } from './providers.ts';
import { factsAgeDays, modelFacts, shutdownLine, shutdownOf } from './model-facts.ts';
import { resolveTested, testConnection, testLimitMs, type ConnectionTest, type TestedEndpoint } from './connection-test.ts';
import { faultReasons, type errorTable } from './error-table.ts';
import { findLocalEndpoints } from './local-endpoints.ts';
import { withSignals } from './joined-signals.ts';
import { sendRequest } from './provider-request.ts';
import { createRetryWaits } from './retry-waits.ts';
import { realClock, type Clock, type PlannedRetry } from './retry.ts';
import { keepLineOf, placeOfFault, resolveEndpoint, resolveRoute, resolveTyped, type ModelSettings } from './route.ts';
import { createCaps } from './spending/caps.ts';
import { createLedger } from './spending/ledger.ts';
import { createPrices } from './spending/prices.ts';
import { createSpending, type Hold, type Spending } from './spending/spending.ts';
import { warnOfCap } from './spending/warn-of-cap.ts';
import type { UsageLog } from './usage-log.ts';
import { createRerouting } from './reroute.ts';
import type { LearnedLimits } from './learned-limits.ts';

export type ModelErrorReason = keyof typeof errorTable;

export interface ModelServiceParts {
  /** Live values of the settings. */
  readonly settings: ModelSettings;
  isSet(variable: string): boolean;
  readonly emitter: Emitter;
  error(reason: ModelErrorReason, details: Readonly<Record<string, unknown>>, cause?: unknown): KernelError;
  /** Aborted when the plugin unloads; ends every call. */
  readonly signal: AbortSignal;
  readonly usageLog: UsageLog;
  readonly limits: LearnedLimits;
  readonly audioModels: AudioModels;
  loadTransport(): Promise<ModelTransport>;
  readonly clock?: Clock;
}

type Booked = Pick<ModelRequest, 'purpose' | 'plugin' | 'chatId' | 'turnId'>;

/** Maximum number of rows that `usage()` returns, the newest ones. */
const maxUsageRows = 100_000;
const unwatched: ModelCall = { text: ignore, reasoning: ignore, toolCall: ignore, toolArgs: ignore, retry: ignore };
const trial: ModelRequest = { system: 'Answer.', messages: [{ role: 'user', text: 'Hello!' }], tools: [], maxTokens: 16, purpose: 'rehearsal' };
const rehearsalMs = 2_000;

export interface ModelService {
  readonly models: Models;
  readonly adapterPoint: PointHandler<ModelAdapterEntry>;
  readonly capPoint: PointHandler<SpendingCap>;
  readonly spending: Pick<Spending, 'states'>;
  /** Sends one request to the model, without retries. Rejects with the signal's reason. */
  test(endpoint: TestedEndpoint, signal: AbortSignal): Promise<ConnectionTest>;
  /** Loads the code for the next call. Contract: never throws; the next call reports a load fault. */
  warmUp(): Promise<void>;
  /** Runs the code of a call once against a URL that rejects the request, because its first run is slow. Contract: never throws. */
  warmUpCall(baseURL: string): Promise<void>;
}

export function createModelService(parts: ModelServiceParts): ModelService {
  const { settings, emitter, usageLog, limits, audioModels, clock = realClock } = parts;
  const adapters = createAdapters(parts);
  const waits = createRetryWaits(clock);

  const isSet = (variable: string): boolean => parts.isSet(variable);
  const catalog = createCatalog({ adapterFor: adapters.of, listed: (target, models) => audioModels.learn(target, models), clock, signal: parts.signal });
  const caps = createCaps(settings);
  const spending = createSpending({
    ...{ caps, usageLog, error: parts.error, ledger: createLedger(usageLog), prices: createPrices(catalog, settings, clock) },
    warn: (booked, state, percent) => warnOfCap(emitter, booked, state, percent),
  });
  let typed: TypedKey | undefined;

  function useTyped(given: TypedKey | undefined): void {
    typed = given;
    emitter.emit('provider_changed', {});
  }

  const defaults = createDefaultModel((target) => catalog.list(target));
  const route = (): ModelRoute => (typed ? resolveTyped(settings, isSet, typed, defaults.now) : resolveRoute(settings, isSet, defaults.now));

  async function named(target: ModelRoute): Promise<ModelRoute> {
    if (target.model !== '' || target.unusable || target.wire === 'demo') return target;
    return { ...target, model: await defaults.choose(target) };
  }

  async function routeFor(request: ModelRequest, endpoint: TestedEndpoint = {}): Promise<ModelRoute> {
    const configured = resolveTested(settings, isSet, route(), endpoint);
    const isHelper = request.purpose !== 'chat' && configured.wire !== 'demo';
    const model = request.model || (isHelper && settings.fastModel) || configured.model;
    const { key, baseURL } = endpoint;
    const isOwn = key === undefined && baseURL === undefined;
    return named(await emitter.call('model.route', [{ ...configured, model }, request, isOwn ? undefined : { baseURL: configured.baseURL }]));
  }

  /** Returns the route of a chat request for that model. @param request the request to send; omitted for a query */
  function routeTo(model: string | undefined, request?: ProviderRequest, endpoint = request?.endpoint): Promise<ModelRoute> {
    const own = route();
    const configured = endpoint ? resolveEndpoint(settings, isSet, own, endpoint) : own;
    const asked = { ...configured, model: model || configured.model };
    const answer = emitter.call('model.route', [asked, request, endpoint]);
    return request ? answer : answer.catch(() => asked);
  }

  /** Returns the shutdown of a model if it is past or due within 30 days. */
  const near = (target: ModelRoute): ModelShutdown | undefined => shutdownOf(target.model, Date.now(), catalog.shutdownOf(target));

  const loadAsk = lazy(() =>
    import('./ask-model.ts').then(({ createAskModel }) =>
      createAskModel({
        ...{
          settings,
          emitter,
          limits,
          clock,
          spending,
          waits,
          isSet,
          routeFor,
          adapterFor: adapters.of,
          hasWire: adapters.has,
          defaults,
          book,
          tell,
          faultError,
          shutdownOf: near,
        },
        fallbacks: createFallbacks(settings, () => clock.now()),
      }),
    ),
  );
  const stream: AskModel = async (...asked) => (await loadAsk())(...asked);

  /** Records the cost of a reply; providers also bill empty replies. */
  function book({ purpose, plugin = 'agent', chatId, turnId }: Booked, target: ModelRoute, usage: ModelUsage, hold: Hold): void {
    const scope = { ...(chatId === undefined ? {} : { chatId }), ...(turnId === undefined ? {} : { turnId }) };
    const booked = { ...scope, model: target.model, purpose, plugin, ...usage };
    const row = { at: new Date().toISOString(), ...booked, ...hold.settle(usage) };
    usageLog.add(row);
    hold.booked(row);
    if (chatId !== undefined) emitter.emit('usage', { ...booked, chatId });
  }

  function tell({ chatId, turnId, purpose }: Booked, fault: ModelFault, retry: PlannedRetry): PlannedRetry & { readonly reason: string } {
    const notice = { ...retry, reason: fault.message };
    if (chatId !== undefined) emitter.emit('provider_retry', { chatId, ...(turnId === undefined ? {} : { turnId }), ...notice, purpose });
    return notice;
  }

  function faultError(fault: ModelFault, target: ModelRoute): KernelError {
    const shutdown = isUnknownModel(fault) ? near(target) : undefined;
    const why = shutdown ? `${fault.message} (${shutdownLine(shutdown)})` : fault.message;
    return parts.error(faultReasons[fault.kind], {
      why,
      model: target.model,
      ...{ host: hostOf(target.baseURL), ...placeOfFault(fault, target) },
      ...(fault.status === undefined ? {} : { status: fault.status }),
      ...fault.overflow,
    });
  }

  function limited<T>(purpose: string, { ms, signals }: CompletionLimit, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withSignals([...signals, parts.signal], async (signal, end) => {
      const timer = setTimeout(() => end(parts.error('TIMED_OUT', { purpose, ms })), ms);
      try {
        return await work(signal);
      } finally {
        clearTimeout(timer);
      }
    });
  }

  return {
    models: {
      route,
      routeNow: (model, endpoint) => routeTo(model, undefined, endpoint),
      facts() {
        const shutdown = near(route());
        return { checkedOn: modelFacts.checkedOn, ageDays: factsAgeDays(Date.now()), ...(shutdown ? { shutdown } : {}) };
      },
      hasWire: adapters.has,
      async window(model) {
        const target = await routeTo(model);
        return (await limits.of(target)).window ?? catalog.lengthOf(target);
      },
      takesAudio: async (model) => audioModels.has(await routeTo(model)),
      list: async () => catalog.list(await named(await routeTo(undefined))),
      async useKey(given) {
        const target = resolveTyped(settings, isSet, given, defaults.now);
        const answer = await catalog.tryKey(target);
        if ('ok' in answer) throw faultError(answer, target);
        useTyped(given);
        await named(target);
        return answer;
      },
      keepLine: (given) => keepLineOf(given, isSet('AGENT_API_BASE_URL'), resolveRoute(settings, isSet).wire === 'demo'),
      forgetKey: () => useTyped(undefined),
      localEndpoints: () => findLocalEndpoints(catalog, settings.localPorts),
      learnWindow: async (tokens, model) => limits.guessWindow(await routeTo(model), tokens),
      stream: (request, call, signal) => withSignals([signal, parts.signal], (both) => stream(request, call, both)),
      complete: (request, limit) => limited(request.purpose, limit, (signal) => stream(request, unwatched, signal)),
      request: (request, signal) =>
        withSignals([signal, parts.signal], (both) =>
          sendRequest(
            request,
            {
              settings,
              clock,
              hold: (asked, target, until) => spending.forProviderRequest(asked, target, until),
              routeTo: async (asked) => admit(emitter, await routeTo(asked.model, asked), asked),
              rerouting: createRerouting(emitter),
              adapterFor: adapters.of,
              announce: tell,
              wait: async (ms, until) => void (await waits.pass(ms, until)),
              book,
              faultError,
              notOffered: ({ wire }) => parts.error('NOT_OFFERED', { wire }),
            },
            both,
          ),
        ),
      retryWaits: (chatId) => waits.list(chatId),
      retryNow: (chatId) => waits.end(chatId),
      async usage(filter) {
        const rows: UsageRow[] = [];
        for await (const row of usageLog.rows(filter)) {
          rows.push(row);
          if (rows.length >= 2 * maxUsageRows) rows.splice(0, maxUsageRows);
        }
        return rows.slice(-maxUsageRows);
      },
    },
    test: (endpoint, until) =>
      testConnection(
        {
          route: async (tested) => (Object.keys(tested).length === 0 ? routeTo(undefined) : resolveTested(settings, isSet, route(), tested)),
          stream: (request, call, probe) => limited(request.purpose, { ms: testLimitMs, signals: [until] }, (signal) => stream(request, call, signal, probe)),
        },
        endpoint,
      ),
    async warmUp() {
      await Promise.all([loadAsk(), adapters.of(route().wire)]).catch(() => undefined); // the first request reports the fault
    },
    async warmUpCall(baseURL) {
      const { wire, model } = route();
      try {
        await runAttempt(await adapters.of(wire), trial, { wire, model, baseURL }, unwatched, { idleMs: rehearsalMs, clock, signal: parts.signal });
      } catch {
        // only a warm-up
      }
    },
    capPoint: caps.point,
    spending,
    adapterPoint: adapters.point,
  };
}

function ignore(): void {}
