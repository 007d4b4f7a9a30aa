// Sends a model request until it succeeds or fails permanently: changes rejected requests, retries transient faults, falls back to other models.
import type { Emitter } from 'agent-harness/kernel';
import { isLocalNetworkHost } from '#lib/hosts';
import { admit } from './admit.ts';
import { runAttempt, type Attempt, type AttemptOptions } from './attempt.ts';
import type { ModelAdapter, ModelFault, ModelRequest, ModelRoute, Models, ModelShutdown, ModelUsage } from './contract.ts';
import type { Probe, TestedEndpoint } from './connection-test.ts';
import type { DefaultModel } from './default-model.ts';
import { isUnknownModel, type Fallbacks } from './fallbacks.ts';
import type { LearnedLimits } from './learned-limits.ts';
import { providerAt } from './providers.ts';
import { findRemedy, type Remedy } from './remedies.ts';
import { emptyFault, isEmpty, noUsage, replyOf } from './reply-of.ts';
import { createShaping } from './request-shaping.ts';
import { createRerouting } from './reroute.ts';
import { createRetryPlan, type Clock, type PlannedRetry } from './retry.ts';
import { waitOf, type RetryWaits } from './retry-waits.ts';
import type { ModelSettings } from './route.ts';
import { promptTokens, textTokens } from './spending/prices.ts';
import type { Hold, Spending } from './spending/spending.ts';

export interface AskModelParts {
  readonly settings: ModelSettings;
  readonly emitter: Emitter;
  readonly limits: LearnedLimits;
  readonly clock: Clock;
  readonly spending: Pick<Spending, 'forRequest'>;
  readonly waits: RetryWaits;
  readonly defaults: DefaultModel;
  readonly fallbacks: Fallbacks;
  isSet(variable: string): boolean;
  /** Returns the shutdown of a model if it is past or due within 30 days. */
  shutdownOf(route: ModelRoute): ModelShutdown | undefined;
  routeFor(request: ModelRequest, endpoint?: TestedEndpoint): Promise<ModelRoute>;
  adapterFor(wire: ModelRoute['wire']): Promise<ModelAdapter>;
  hasWire(wire: ModelRoute['wire']): boolean;
  book(request: ModelRequest, target: ModelRoute, usage: ModelUsage, hold: Hold): void;
  tell(request: ModelRequest, fault: ModelFault, retry: PlannedRetry): PlannedRetry & { readonly reason: string };
  faultError(fault: ModelFault, target: ModelRoute): Error;
}

/** One attempt: the route, the request as sent, and the outcome. */
interface Asked {
  /** The route before fallbacks and learned wire formats are applied. */
  readonly chosen: ModelRoute;
  readonly target: ModelRoute;
  /** The request as sent: well-formed, without the parts that the server rejects. */
  readonly request: ModelRequest;
  readonly hold: Hold;
  readonly attempt: Attempt;
}

/** Decision after a failed attempt: send a changed request at once, retry after a delay, or stop. */
type NextStep = 'at once' | PlannedRetry | undefined;

/** First-token timeout, in milliseconds, for servers outside the local network. */
const remoteFirstTokenMs = 300_000;
/** Maximum number of changes applied to one request. */
const maxRemedies = 8;
const restarted: ModelFault = { ok: false, kind: 'transient', message: 'the reply began with its reasoning' };

/** Sends a request as {@link Models.stream} does. With a probe, the request goes to the probe's endpoint, without retries or fallbacks. */
export type AskModel = (...asked: [...Parameters<Models['stream']>, probe?: Probe]) => ReturnType<Models['stream']>;

export function createAskModel(parts: AskModelParts): AskModel {
  const { settings, emitter, limits, clock, spending, waits, defaults, fallbacks } = parts;
  const shaping = createShaping({ limits, isWireFree: () => settings.wire === 'auto', shutdownOf: parts.shutdownOf });
  /** Returns whether another wire format may be used: a configured wire format is never replaced. */
  const hasWire = (wire: ModelRoute['wire']): boolean => settings.wire === 'auto' && parts.hasWire(wire);

  /** Returns the timeouts for a server. Local servers have no first-token timeout by default, because prompt processing takes minutes there. */
  function readingOf({ baseURL }: ModelRoute): Pick<AttemptOptions, 'idleMs' | 'firstTokenMs' | 'isNear' | 'readsCalls'> {
    const isNear = URL.canParse(baseURL) && isLocalNetworkHost(new URL(baseURL).hostname);
    const limit = parts.isSet('AGENT_FIRST_TOKEN_MS') ? settings.firstTokenMs : isNear ? 0 : remoteFirstTokenMs;
    return { idleMs: settings.streamIdleMs, firstTokenMs: limit === 0 ? Infinity : limit, isNear, readsCalls: providerAt(baseURL) === undefined };
  }

  /** Returns whether the model is the default one: neither the user nor the chat has chosen a model. */
  const isDefault = (request: ModelRequest, { model, baseURL }: ModelRoute): boolean =>
    !request.model && settings.model.trim() === '' && model === defaults.now(baseURL);

  return async (request, call, signal, probe) => {
    const retries = probe ? { ...settings, rateLimitRetries: 0, transientRetries: 0 } : settings;
    const plan = createRetryPlan(clock);
    const rerouting = createRerouting(emitter);
    const tried: Remedy[] = [];
    let failures = 0;
    let switched: { readonly to: ModelRoute; readonly why: string } | undefined;
    let hasReplaced = false;

    async function ask(): Promise<Asked> {
      const chosen = await parts.routeFor(request, probe?.endpoint);
      const target = await shaping.routeOf(switched?.to ?? (probe ? chosen : fallbacks.routeOf(chosen)), tried);
      await admit(emitter, target, request);
      // A connection test probes the server without learned limits.
      if (probe && tried.length === 0) limits.forget(target);
      const adapter = await parts.adapterFor(target.wire);
      const asked = await shaping.shape(request, target, adapter, tried);
      probe?.sent(asked, target);
      const hold = await spending.forRequest(asked, target, signal);
      const { maxTokens } = hold;
      const affordable = maxTokens === asked.maxTokens ? asked : { ...asked, maxTokens };
      const restart = (): void => announce(restarted, { attempt: 1, of: 1, delayMs: 0 });
      const attempt = await runAttempt(adapter, affordable, target, hold.watch(call), { ...readingOf(target), clock, signal, restart }).catch(
        (fault: unknown) => {
          hold.cut(true);
          throw fault;
        },
      );
      return { chosen, target, request: asked, hold, attempt };
    }

    function announce(fault: ModelFault, retry: PlannedRetry): void {
      call.retry(parts.tell(request, fault, retry));
    }

    /**
     * Decides how to continue after a failure. A request whose attempt streamed nothing may be changed or sent to another route; any other request is repeated
     * unchanged.
     */
    async function stepAfter(fault: ModelFault, { chosen, target, request: asked, attempt }: Asked): Promise<NextStep> {
      failures++;
      if (!attempt.outcome.ok && isEmpty(attempt)) {
        if (await rerouting.again(fault, target)) return 'at once';
        const remedy = tried.length < maxRemedies ? findRemedy(fault, { request: asked, route: target, tried, hasWire }) : undefined;
        if (remedy) tried.push(remedy);
        if (remedy || (await replaceDefault(fault, target))) return 'at once';
        const fallback = probe ? undefined : fallbacks.next(chosen, target, fault, failures);
        if (fallback) {
          switched = { to: fallback, why: fault.message };
          tried.length = 0;
          failures = 0;
          return 'at once';
        }
      }
      return plan.next(fault, retries);
    }

    async function replaceDefault(fault: ModelFault, target: ModelRoute): Promise<boolean> {
      if (hasReplaced || !isDefault(request, target) || !isUnknownModel(fault)) return false;
      hasReplaced = true;
      return (await defaults.replace(target)) !== undefined;
    }

    function notify({ chosen, target, request: asked, attempt }: Asked): void {
      if (attempt.hasUnreadCall) call.notice?.(unreadCall(target));
      if (switched) call.notice?.(`${chosen.model} is not available (${switched.why}), so ${target.model} is used instead.`);
      if (request.purpose === 'chat') for (const line of shaping.notices(asked, target)) call.notice?.(line);
    }

    for (;;) {
      signal.throwIfAborted();
      const asked = await ask();
      const { target, hold, attempt } = asked;
      const { outcome } = attempt;
      const isUsable = outcome.ok && !isEmpty(attempt);
      const fault = outcome.ok ? emptyFault(outcome.finish) : outcome;
      if (fault.overflow?.window !== undefined) limits.learn(target, { window: fault.overflow.window });
      const step = isUsable ? undefined : await stepAfter(fault, asked);
      if (typeof step === 'object') announce(fault, step);
      // The usage event must follow the retry event; otherwise, clients would interpret it as the end of a successful reply.
      if (outcome.ok) parts.book(request, target, outcome.usage ?? usageOf(asked.request, attempt), hold);
      else hold.cut(false);
      if (isUsable) {
        shaping.remember(request, target, tried);
        notify(asked);
        return replyOf(target, attempt, outcome);
      }
      if (step === 'at once') continue;
      if (!step) throw parts.faultError(fault, target);
      const isEarly = await waits.pass(step.delayMs, signal, waitOf(request, fault, step));
      // Ends the countdown that clients show.
      if (isEarly) announce(fault, { ...step, delayMs: 0 });
    }
  };
}

/** Estimates the usage for a server that rejects `stream_options` and therefore reports no usage. */
function usageOf(request: ModelRequest, { text, toolCalls }: Attempt): ModelUsage {
  if (!request.omit?.has('stream_options')) return noUsage;
  return { input: promptTokens(request), output: textTokens(text + toolCalls.map(({ argsText }) => argsText).join('')), cached: 0 };
}

const unreadCall = ({ model }: ModelRoute): string =>
  `${model} wrote a tool call as text that could not be parsed, so no tool ran. Choose a model that supports tools, or start its server with a tool-call parser.`;
